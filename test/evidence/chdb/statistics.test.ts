import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

const columnsWithStatistics = rows(Type.Object({ columns: count() }))`
  SELECT count() AS columns FROM system.parts_columns
  WHERE database = 'spoor' AND table = 'agents' AND active AND notEmpty(statistics)`
const addAgents = sql`
  INSERT INTO spoor.agents (agent_key, user_agent, proof, first_seen)
  SELECT number, toString(number), '', toDateTime64('2026-03-10 00:00:00', 3, 'UTC') FROM numbers(100)`
const merge = sql`OPTIMIZE TABLE spoor.agents FINAL`

test('no statistics are made of columns, neither for a new store nor for one that had them', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  const store = await openChdb({ folder, memory_mb: 1_024 })
  onTestFinished(() => store.close())
  const columnsOf = async () => {
    for (const statement of [addAgents, addAgents, merge]) await store.run(statement)
    return (await store.all(columnsWithStatistics))[0]?.columns
  }
  expect(await columnsOf()).toBe(0)
  await store.run(sql`ALTER TABLE spoor.agents MODIFY SETTING auto_statistics_types = 'basic, uniq_v2'`)
  expect(await columnsOf()).toBeGreaterThan(0)
  await store.run(sql`ALTER TABLE spoor.agents RESET SETTING auto_statistics_types`)
  await store.close()

  const again = await openChdb({ folder, memory_mb: 1_024 })
  onTestFinished(() => again.close())
  for (const statement of [addAgents, merge]) await again.run(statement)
  expect((await again.all(columnsWithStatistics))[0]?.columns).toBe(0)
})
