/** The step from acquisition_daily to source_daily (layouts 4 and 5). */
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { type Migration, readMigrations } from '#evidence/migrate.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { openTestEvidence } from '../support/evidence.ts'

const reported = rows(
  Type.Object({ dimension: Type.String(), identity: Type.String(), sessions: count(), views: count() }),
)`
  SELECT toString(dimension) AS dimension, toString(identity) AS identity, sessions, pageviews AS views
  FROM spoor.source_daily WHERE build = 7 AND day = '2026-03-08' ORDER BY dimension, identity`
const tables = rows(Type.Object({ name: Type.String() }))`
  SELECT name FROM system.tables WHERE database = 'spoor' AND name IN ('acquisition_daily', 'source_daily')`

const before = sql`
  INSERT INTO spoor.acquisition_daily (site_id, day, build, has_pageview, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign,
    utm_term, utm_content, sessions, pageviews)
  SELECT toUUID('11111111-1111-4111-8111-111111111111'), toDate('2026-03-08'), 7, true, 'news.example', false, 'letter', '', reported, '', '', 2, 5
  FROM (SELECT arrayJoin(['spring', 'autumn']) AS reported)
  UNION ALL SELECT toUUID('11111111-1111-4111-8111-111111111111'), toDate('2026-03-08'), 7, false, '', false, '', '', '', '', '', 3, 0
  UNION ALL SELECT toUUID('11111111-1111-4111-8111-111111111111'), toDate('2026-04-01'), 8, true, '', false, '', '', '', '', '', 1, 1`

/** All of a step but that it is recorded, as a crash leaves it. */
const brokenOff = ({ version, text }: Migration): Migration => ({ version, text: `${text}\nSELECT throwIf(1);` })

test('sums of closed days are computed again, once, even if the step broke off', async () => {
  const shipped = await readMigrations()
  const evidence = await openTestEvidence({ migrations: shipped.slice(0, 3) })
  onTestFinished(() => evidence.remove())
  await evidence.store.run(before)
  await evidence.store.close()
  const broken = [...shipped.slice(0, 3), brokenOff(shipped[3] as Migration)]
  await expect(evidence.reopen({ migrations: broken })).rejects.toMatchObject({ kind: 'bug' })
  await evidence.reopen()
  expect(await evidence.store.all(reported)).toEqual([
    { dimension: 'origin', identity: '["",false,"","",0,0]', sessions: 3, views: 0 },
    { dimension: 'origin', identity: '["news.example",false,"letter","",1,1]', sessions: 4, views: 10 },
    { dimension: 'utm_campaign', identity: 'autumn', sessions: 2, views: 5 },
    { dimension: 'utm_campaign', identity: 'spring', sessions: 2, views: 5 },
    { dimension: 'utm_source', identity: 'letter', sessions: 4, views: 10 },
  ])
  expect(await evidence.store.all(tables)).toEqual([{ name: 'source_daily' }])
})
