import Type from 'typebox'
import { expect, test } from 'vitest'
import { count, rows, sql, text, uint } from '#evidence/sql.ts'
import { openTestEvidence } from '../support/evidence.ts'
test('smoke', async () => {
  const e = await openTestEvidence()
  console.log(await e.store.all(rows(Type.Object({ a: Type.String(), n: count() }))`SELECT ${text("it's \\ {p0:String} \0\t")} AS a, toUInt64(${uint(5)}) AS n`))
  console.log(await e.store.all(rows(Type.Object({ name: Type.String() }))`SELECT name FROM system.tables WHERE database='spoor'`))
  expect(1).toBe(1)
  await e.store.run(sql`TRUNCATE TABLE spoor.import_rows`)
  await e.remove()
})
