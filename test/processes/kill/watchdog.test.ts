import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { preparedFolder, runJson } from '../../support/cli.ts'
import { freePort } from '../../support/free-port.ts'
import { type RunningProcess, serveProcess } from '../../support/processes.ts'
import type { Asking } from '../../support/running.ts'

/** The process that really serves: the child of the launcher. */
function serviceOf(launcher: RunningProcess): number {
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, 'utf8')) ?? []
      if (Number(parent) === launcher.process.pid) return Number(entry)
    } catch {
      // Ended meanwhile.
    }
  }
  throw new Error('the launcher has no child')
}

async function isReadyAgain(server: Asking): Promise<void> {
  for (;;) {
    const ready = await server.get('/readyz').catch(() => null)
    if (ready?.status === 200) return
    await pause(100)
  }
}

/** A process that stands still does not even notice that its launcher is gone. */
let halted: number | null = null
afterEach(() => {
  if (halted !== null) process.kill(halted, 'SIGKILL')
})

test('a killed service and a hanging one recover by themselves; nothing acknowledged is lost', async () => {
  const { data, file } = await preparedFolder()
  // A service that starts again must keep its address.
  const port = String(await freePort())
  const env = { SPOOR_WATCHDOG_SECONDS: '6' }
  const server = await serveProcess(data, ['--port', port, '--clock', '2026-03-08T12:00:00Z'], { env })
  await runJson(['site', 'add', 'example.com', '--data', data])
  const { secret } = await runJson<{ secret: string }>(['key', 'create', '--name', 'a', '--data', data])
  writeFileSync(file('a.log'), history().on('2026-03-07').humans().crawler('googlebot').requests(5).text())
  await runJson(['import', file('a.log'), '--site', 'example.com', '--data', data])
  const counted = { observed_request_count: 5 }
  for (const [signal, said] of [
    ['SIGKILL', /ended by SIGKILL; it starts again in 1 s \(1 of 8/],
    ['SIGSTOP', /has not answered for 6 s and was killed; it starts again in 2 s \(2 of 8/],
  ] as const) {
    halted = serviceOf(server)
    process.kill(halted, signal)
    await server.says(said)
    halted = null
    await isReadyAgain(server)
    const { body } = await server.get('/v1/sites/example.com/performance?window=7d', secret)
    expect(body).toMatchObject(counted)
    expect(await runJson(['site', 'list', '--data', data])).toMatchObject({ sites: [{ root_domain: 'example.com' }] })
  }
  server.process.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
}, 120_000)
