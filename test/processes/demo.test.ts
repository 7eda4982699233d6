import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { workFolder } from '../support/cli.ts'
import { startProcess } from '../support/processes.ts'

test('spoor demo, stopped while its site still lives through its days, leaves nothing behind', async () => {
  const { folder } = workFolder()
  const demo = startProcess(['demo', '--days', '900', '--clock', '2026-03-10T12:00:00Z'], { env: { TMPDIR: folder } })
  await demo.says(/plays 900 days/)
  demo.process.kill('SIGINT')
  expect((await demo.ended).code).toBe(0)
  expect(readdirSync(folder).filter((name) => name.startsWith('spoor-demo'))).toEqual([])
})
