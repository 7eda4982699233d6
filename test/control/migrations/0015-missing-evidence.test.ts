/**
 * A store of an older version: what it counted of collected events stays, and later outcomes can be counted beside it.
 */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackMissingEvidence } from './take-back.ts'

const COUNTS = ['accepted', 'bot', 'refused'].map((outcome, at) => ({
  site_id: 's',
  day: '2026-03-09',
  outcome,
  reason: outcome === 'refused' ? 'undeclared_property' : '',
  events: at + 1,
  last_at: 100 + at,
}))

test('counts of events survive, repeats and opted-out visitors can be counted, and opt-out is honoured', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await makeOlder(store.execute)
  await store.control.close()
  const { db } = await store.open()

  const counts = () => db.selectFrom('collection_counts').selectAll().orderBy('outcome').execute()
  expect(await counts()).toEqual(COUNTS)
  expect(await db.selectFrom('tracker_settings').select('honours_opt_out').execute()).toEqual([{ honours_opt_out: 1 }])
  expect(await db.selectFrom('refused_evidence').selectAll().execute()).toEqual([])

  const later = { site_id: 's', day: '2026-03-09', reason: '', events: 1, last_at: 200 }
  await db
    .insertInto('collection_counts')
    .values([
      { ...later, outcome: 'opted_out' },
      { ...later, outcome: 'repeated' },
    ])
    .execute()
  await expect(
    store.execute("INSERT INTO collection_counts VALUES ('s', '2026-03-09', 'guessed', '', 1, 1)"),
  ).rejects.toThrow()
  await expect(
    store.execute("INSERT INTO collection_counts VALUES ('s', '2026-03-09', 'bot', '', 1, 1)"),
  ).rejects.toThrow()

  await db.deleteFrom('sites').where('id', '=', 's').execute()
  expect(await counts()).toEqual([])
})

/** Leaves rows as the version before the step did. */
async function makeOlder(execute: (sql: string) => Promise<unknown>): Promise<void> {
  await takeBackMissingEvidence(execute)
  await execute("INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)")
  await execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  await execute("INSERT INTO tracker_settings (site_id, privacy_floor) VALUES ('s', 0)")
  for (const { day, outcome, reason, events, last_at } of COUNTS) {
    await execute(
      `INSERT INTO collection_counts VALUES ('s', '${day}', '${outcome}', '${reason}', ${events}, ${last_at})`,
    )
  }
}
