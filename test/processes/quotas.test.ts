/** Real processes that count requests of one account, on SQLite and on PostgreSQL (account API 5). */
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startChild, type TestChild } from '../support/child.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { createDatabase } from '../support/postgres.ts'

const NOW = Date.parse('2026-03-10T12:00:30Z')
const children: TestChild[] = []
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
})

/**
 * How many requests of two processes pass, which both ask for more than half of the hour's limit at the same moment.
 */
async function race(place: string): Promise<number[]> {
  const script = new URL('../control/quotas/count-requests.child.ts', import.meta.url)
  for (let n = 0; n < 2; n++) children.push(startChild(script, place, '800', String(NOW)))
  for (const child of children) expect(await child.line()).toBe('ready')
  for (const child of children) child.process.stdin?.write('go\n')
  return Promise.all(children.map(async (child) => Number(await child.line())))
}

test('of 1,600 requests of two processes exactly 1,000 pass on SQLite', async () => {
  const folder = makeTestFolder()
  const passed = await race(join(folder, 'quotas.sqlite'))
  expect(passed.reduce((sum, each) => sum + each)).toBe(1_000)
  removeTestFolder(folder)
})

test('of 1,600 requests of two processes exactly 1,000 pass on PostgreSQL', async () => {
  const database = await createDatabase({ migrated: true })
  const passed = await race(database.url)
  expect(passed.reduce((sum, each) => sum + each)).toBe(1_000)
  await database.drop()
})
