import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { evidenceIdentity } from '#evidence/store-identity.ts'
import { claimEvidence } from '#installation/claim-evidence.ts'
import { openTestControl, type TestControl } from '../support/control.ts'
import { openTestEvidence, type TestEvidence } from '../support/evidence.ts'

let control: TestControl
let evidence: TestEvidence
beforeEach(async () => {
  control = await openTestControl()
  evidence = await openTestEvidence()
})
afterEach(async () => {
  await evidence.remove()
  await control.remove()
})

const claim = () => claimEvidence({ control: control.control, evidence: evidence.store })

test('an evidence store has one identity for good, and a copy of its folder has the same', async () => {
  const identity = await evidenceIdentity(evidence.store)
  expect(identity).toMatch(/^[0-9a-f-]{36}$/)
  expect(await evidenceIdentity(evidence.store)).toBe(identity)
  await evidence.store.close()
  const folder = join(control.folder, 'copy')
  cpSync(evidence.folder, folder, { recursive: true })
  const copy = await openChdb({ folder, memory_mb: 2_048 })
  expect(await evidenceIdentity(copy)).toBe(identity)
  await copy.close()
})

test('a control store is bound to the first evidence store, however often it is checked', async () => {
  await claim()
  await claim()
  const rows = await control.execute("SELECT value FROM settings WHERE name = 'evidence_id'")
  expect(rows).toEqual([{ value: await evidenceIdentity(evidence.store) }])
})

test('with another evidence store it is refused, whatever that store contains', async () => {
  await claim()
  const first = await evidenceIdentity(evidence.store)
  await evidence.remove()
  evidence = await openTestEvidence()
  await expect(claim()).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining(first) })
  await expect(claim()).rejects.toThrow(/--data/)
})
