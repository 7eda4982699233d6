/** The step that gives events of development origins a stream (layout 9). */
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { readMigrations } from '#evidence/migrate.ts'
import { count, type Fragment, rows, sql, uint } from '#evidence/sql.ts'
import { openTestEvidence } from '../support/evidence.ts'

const event = (id: number, stream: Fragment) => sql`
  INSERT INTO spoor.events (site_id, day, stream, id, received_at, seq, request, visitor, kind)
  SELECT toUUID('11111111-1111-4111-8111-111111111111'), toDate('2026-03-08'), ${stream}, ${uint(id)},
    toDateTime64('2026-03-08 10:00:00', 3, 'UTC'), ${uint(id)}, ${uint(id)}, 1, 'pageview'`
const streams = rows(Type.Object({ stream: Type.String(), events: count() }))`
  SELECT toString(stream) AS stream, count() AS events FROM spoor.events FINAL GROUP BY stream ORDER BY stream`

test('events stored earlier keep their stream, and development events are stored beside them', async () => {
  const shipped = await readMigrations()
  const evidence = await openTestEvidence({ migrations: shipped.slice(0, 8) })
  onTestFinished(() => evidence.remove())
  await evidence.store.run(event(1, sql`'browser'`))
  await evidence.store.run(event(2, sql`'bot'`))
  await expect(evidence.store.run(event(3, sql`'development'`))).rejects.toMatchObject({ kind: 'bug' })
  await evidence.store.close()
  await evidence.reopen()
  await evidence.store.run(event(3, sql`'development'`))
  expect(await evidence.store.all(streams)).toEqual([
    { stream: 'bot', events: 1 },
    { stream: 'browser', events: 1 },
    { stream: 'development', events: 1 },
  ])
})
