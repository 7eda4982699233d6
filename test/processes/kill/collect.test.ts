/** The short form of bench/kill-collect.ts. */
import { afterAll, expect, test } from 'vitest'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { killRounds } from '../../support/kill-collect.ts'

const folder = makeTestFolder()
afterAll(() => removeTestFolder(folder))

test('a kill loses nothing that was acknowledged and doubles nothing', { timeout: 180_000 }, async () => {
  const report = await killRounds(folder, 1)
  expect(report.acknowledged).toBeGreaterThan(0)
  expect(report.retried).toBeGreaterThan(0)
})
