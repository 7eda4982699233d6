/** The step that gives facts an action of the edge (layout 6). */
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { type Migration, readMigrations } from '#evidence/migrate.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { openTestEvidence } from '../support/evidence.ts'

const old = sql`
  INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
    host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, received_at)
  SELECT toUUID('11111111-1111-4111-8111-111111111111'), toDate('2026-03-08'), number, toDateTime64('2026-03-08 10:00:00', 3, 'UTC'),
    'exact', toUUID('22222222-2222-4222-8222-222222222222'), toUUID('33333333-3333-4333-8333-333333333333'), 0, 1, NULL,
    'example.com', '/', 'exact', 'content', 403, 403, 'GET', 'TestBot/1.0', 1, toDateTime64('2026-03-09 00:00:00', 3, 'UTC')
  FROM numbers(3)`
const facts = rows(Type.Object({ requests: count(), unsaid: count() }))`
  SELECT sum(requests) AS requests, countIf(edge_action IS NULL) AS unsaid FROM spoor.requests FINAL`

const brokenOff = ({ version, text }: Migration): Migration => ({ version, text: `${text}\nSELECT throwIf(1);` })

test('facts stored before have no action, are the same facts, and the step may be repeated', async () => {
  const shipped = await readMigrations()
  const evidence = await openTestEvidence({ migrations: shipped.slice(0, 5) })
  onTestFinished(() => evidence.remove())
  await evidence.store.run(old)
  await evidence.store.close()
  const broken = [...shipped.slice(0, 5), brokenOff(shipped[5] as Migration)]
  await expect(evidence.reopen({ migrations: broken })).rejects.toMatchObject({ kind: 'bug' })
  await evidence.reopen()
  expect(await evidence.store.all(facts)).toEqual([{ requests: 3, unsaid: 3 }])
})
