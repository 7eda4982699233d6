/** The step that gives sessions the pages of their other events (layout 7). */
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '#evidence/migrate.ts'
import { rows, sql } from '#evidence/sql.ts'
import { openTestEvidence } from '../support/evidence.ts'

const OLDER = 6
const pagesOf = rows(Type.Object({ own: Type.Array(Type.String()) }))`
  SELECT arrayMap((viewed, other) -> toString(viewed + other), pages, event_pages) AS own FROM spoor.sessions`

test('a session of an older version has no page for its other events, until its day is derived again', async () => {
  const evidence = await openTestEvidence({ migrations: (await readMigrations()).slice(0, OLDER) })
  onTestFinished(() => evidence.remove())
  await evidence.store.run(sql`
    INSERT INTO spoor.sessions (site_id, day, build, pages, names) SELECT generateUUIDv4(), '2026-03-08', 1, [11, 0, 12], ['', 'signup', '']`)
  await evidence.store.close()
  await evidence.reopen()
  expect(await evidence.store.all(pagesOf)).toEqual([{ own: ['11', '0', '12'] }])
})
