/** What the abuse harness mounts and starts is taken back, however it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const MODULE = JSON.stringify(new URL('../../../bench/abuse/at-exit.ts', import.meta.url).href)

function run(script: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    printed += piece
  })
  return { child, printed: () => printed, ended: once(child, 'close') }
}

test('a second signal does not break off the clean-up, and the exit code names the signal', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const may_end = join(folder, 'may-end')
  const { child, printed, ended } = run(`
    import { existsSync, writeSync } from 'node:fs'
    import { atExit } from ${MODULE}
    const rest = new Int32Array(new SharedArrayBuffer(4))
    const waitForFile = () => { while (!existsSync(${JSON.stringify(may_end)})) Atomics.wait(rest, 0, 0, 10) }
    atExit(() => writeSync(1, 'first\\n'))
    atExit(() => { writeSync(1, 'ending\\n'); waitForFile(); writeSync(1, 'last\\n') })
    atExit(() => writeSync(1, 'cancelled\\n'))()
    process.stdin.resume()
    console.log('ready')
  `)
  await expect.poll(printed).toBe('ready\n')
  child.kill('SIGTERM')
  await expect.poll(printed).toContain('ending\n')
  child.kill('SIGTERM')
  writeFileSync(may_end, '')
  expect([await ended, printed()]).toEqual([[143, null], 'ready\nending\nlast\nfirst\n'])
})

test('a round cleans up after itself, and leaves what began before it', async () => {
  const { child, printed, ended } = run(`
    import { atExit, cleanUpsFromNow } from ${MODULE}
    atExit(() => console.log('before'))
    const cleanUp = cleanUpsFromNow()
    atExit(() => console.log('left'))
    atExit(() => console.log('cancelled'))()
    cleanUp()
    cleanUp()
    console.log('end')
  `)
  child.stdin.end()
  expect([await ended, printed()]).toEqual([[0, null], 'left\nend\nbefore\n'])
})
