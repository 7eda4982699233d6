/** The guard of each-file.ts, which every test file runs under. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTestFolder, openTestControl, removeTestFolder } from './control.ts'
import { openTestEvidence } from './evidence.ts'
import { changedIn, leftOpen, openThings } from './left-open.ts'
import { openTestService } from './service.ts'

test.each([
  ['an evidence store', async () => openTestEvidence(), /an evidence store \(an engine session\): .*spoor-evidence-/],
  ['a control store', async () => openTestControl(), /a control store: .*control\.sqlite/],
  [
    'a service',
    async () => {
      const service = await openTestService('2026-03-10T12:00:00Z')
      return { remove: () => service.close() }
    },
    /a control store: .*an evidence store .*the lock of a data folder/,
  ],
])('%s that is left open is named until it is closed', async (_what, open, named) => {
  const before = openThings()
  const opened = await open()
  const left = leftOpen(before).join('; ')
  await opened.remove()
  expect(left).toMatch(named)
  expect(leftOpen(before)).toEqual([])
})

test('a spool and a listening server that are left open are named', async () => {
  const before = openThings()
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  mkdirSync(join(folder, 'spool'))
  const spool = openSync(join(folder, 'spool', 'segment'), 'w')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const left = leftOpen(before)
  closeSync(spool)
  await new Promise((resolve) => server.close(resolve))
  expect(left).toEqual(['a listening server', expect.stringMatching(/^a spool of events: .*segment$/)])
  await expect.poll(() => leftOpen(before)).toEqual([])
})

test('an environment variable that is not put back is named', () => {
  const before = { ...process.env }
  process.env.SPOOR_LEFT = '1'
  onTestFinished(() => {
    delete process.env.SPOOR_LEFT
  })
  expect(changedIn(before)).toEqual(['the environment variable SPOOR_LEFT'])
})
