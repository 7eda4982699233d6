/** Commands on a terminal, which `script` of util-linux makes; where it is missing the reason is in the test's name. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { preparedFolder, runJson, TEST_ENVIRONMENT } from '../support/cli.ts'

const LAUNCHER = new URL('../../bin/spoor.mjs', import.meta.url).pathname
const has_script = /util-linux/.test(String(spawnSync('script', ['--version']).stdout))

/** Types `answer` once the screen shows a question; what the screen showed, and how the command ended. */
async function onTerminal(command: string, answer: string): Promise<{ screen: string; code: number | null }> {
  const child = spawn('script', ['-qec', `${process.execPath} ${LAUNCHER} ${command}`, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
  })
  let screen = ''
  let answered = false
  child.stdout.on('data', (chunk) => {
    screen += chunk
    if (answered || !/\? \[y\/N\] $/.test(screen)) return
    answered = true
    child.stdin.write(answer)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { screen, code }
}

describe.skipIf(!has_script)(`on a terminal${has_script ? '' : ' (cannot be tested: no script of util-linux)'}`, () => {
  const END_OF_INPUT = '\u0004'

  test('removing a site needs a confirmation: it is removed with a yes and kept with anything else', async () => {
    const { data } = await preparedFolder()
    await runJson(['site', 'add', 'example.com', '--data', data])
    const remove = `site remove example.com --data ${data}`
    const sites = async () => (await runJson<{ sites: unknown[] }>(['site', 'list', '--data', data])).sites.length
    for (const answer of ['\r', 'no\r', 'yesterday\r', END_OF_INPUT]) {
      const { screen, code } = await onTerminal(remove, answer)
      expect(screen).toMatch(
        /This removes example\.com \([0-9a-f-]{36}\) with its members.*for good\..* Go on\? \[y\/N\] /,
      )
      expect(screen).toContain('spoor: nothing was changed')
      expect(code).toBe(1)
      expect(await sites()).toBe(1)
    }
    expect(await onTerminal(remove, 'y\r')).toEqual({
      screen: expect.stringMatching(/Removed example\.com, id /),
      code: 0,
    })
    expect(await sites()).toBe(0)
  })

  test('the log of a service is readable, and the link to choose a password stands out below it', async () => {
    const { data } = await preparedFolder()
    const serve = `${process.execPath} ${LAUNCHER} serve --port 0 --data ${data}`
    const child = spawn('script', ['-qec', serve, '/dev/null'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...TEST_ENVIRONMENT, UV_THREADPOOL_SIZE: '16' },
    })
    let screen = ''
    const framed = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        screen += chunk
        if (/─{20,}\s[\s\S]*─{20,}\s/.test(screen)) resolve()
      })
    })
    await Promise.race([framed, once(child, 'close')])
    expect(screen).toMatch(/^\d\d:\d\d:\d\d info {3}Server listening at http:/m)
    expect(screen).not.toContain('{"level"')
    expect(screen).toMatch(
      /─+\r\nSpoor listens on [\s\S]*24 hours:\r\nhttp:\/\/127\.0\.0\.1:\d+\/welcome#\S+\r\n─+\r\n$/,
    )
    child.stdin.write('\u0003')
    await once(child, 'close')
    expect(screen).toMatch(/Stopping\.\r\n$/)
  })
})
