import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSetting, writeSetting } from '#control/settings.ts'
import { sql } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { WriteGate } from '#move/write-gate.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let control: TestControl
beforeAll(async () => {
  control = await openTestControl()
})
afterAll(() => control.remove())

test('a closed gate waits for writes in progress, and refuses new ones; reads pass', async () => {
  const gate = new WriteGate()
  const store = gate.ofControl(control.control)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const running = store.transaction(async (tx) => {
    await held
    await writeSetting(tx, 'one', '1')
  })
  let is_closed = false
  const closed = gate.close().then(() => {
    is_closed = true
  })
  await expect(store.transaction((tx) => writeSetting(tx, 'two', '2'))).rejects.toThrow('moving to other stores')
  expect(is_closed).toBe(false)
  release()
  await Promise.all([running, closed])
  expect(await readSetting(store.db, 'one')).toBe('1')
  expect(await store.snapshot((tx) => readSetting(tx, 'one'))).toBe('1')
  await expect(writeSetting(store.db, 'two', '2')).rejects.toThrow('moving to other stores')
  await expect(store.db.updateTable('settings').set({ value: 'x' }).execute()).rejects.toThrow('moving')
  await expect(store.db.deleteFrom('settings').execute()).rejects.toThrow('moving')
  // What moves the rows has the store itself.
  await writeSetting(control.control.db, 'two', '2')
  gate.open()
  await writeSetting(store.db, 'two', '3')
  expect(await readSetting(store.db, 'two')).toBe('3')
})

test('after a move no caller is asked to wait', async () => {
  const gate = new WriteGate(() => true)
  await gate.close()
  await expect(gate.pass(async () => {})).rejects.toMatchObject({
    kind: 'store_busy',
    message: expect.stringMatching(/has moved to other stores.*starts it with the settings/),
  })
})

test('evidence is held back the same way', async () => {
  const gate = new WriteGate()
  const seen: string[] = []
  const store = gate.ofEvidence({
    run: async () => void seen.push('run'),
    insert: async () => void seen.push('insert'),
    all: async () => [],
  } as unknown as EvidenceStore)
  await store.run(sql`SELECT 1`)
  await gate.close()
  await expect(store.run(sql`SELECT 1`)).rejects.toThrow('moving to other stores')
  await expect(store.insert('pages', Buffer.from(''), 0)).rejects.toThrow('moving to other stores')
  expect(seen).toEqual(['run'])
})
