import { truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, type RunningCommand, run, serve, start } from '../../support/cli.ts'

const LOG = history().on('2026-03-01').humans().crawler('gptbot').requests(3, { path: '/a' }).text()

/** Far longer than what is read ahead of an import that waits. */
const LONG = LOG.repeat(Math.ceil((8 << 20) / LOG.length))

test('spoor import warns of a log that is truncated while it is read, as copytruncate does', async () => {
  const { data, file } = await preparedFolder()
  await serve(data)
  await run(['site', 'add', 'example.com', '--data', data])
  const importing = (name: string) => start(['import', 'example.com', name, '--data', data, '--json'])
  // The import of standard input holds the other one back until the file has been truncated.
  const first = importing('-')
  first.stdin.write(LOG)
  const second = await waiting(() => {
    writeFileSync(file('access.log'), LONG)
    return importing(file('access.log'))
  })
  truncateSync(file('access.log'), LOG.length)
  first.stdin.end()
  const { stdout, code } = await second.ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout).warnings).toContainEqual({
    code: 'truncated_while_read',
    message: expect.stringMatching(
      /^access\.log: it was truncated while it was read, after [\d.]+ [KM]iB of 8 MiB\. .*access\.log\.1$/,
    ),
  })
  const whole = await importing(file('access.log')).ended
  expect(whole.stdout).not.toContain('truncated_while_read')
})

/** The first import that has to wait; those before it came before the one that it waits for. */
async function waiting(begin: () => RunningCommand): Promise<RunningCommand> {
  for (;;) {
    const running = begin()
    // One line of JSON, because the command has --json.
    const waits = running.says(/^\{"notice":\{"kind":"note","message":"another import is running/m).then(() => true)
    if (await Promise.race([waits.catch(() => false), running.ended.then(() => false)])) return running
  }
}
