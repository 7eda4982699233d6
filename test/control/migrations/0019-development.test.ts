/** A store of an older version takes development origins, and counts what they send apart. */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackDevelopment } from './take-back.ts'

test('a site keeps its counts, and its development is counted beside them and removed with it', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await takeBackDevelopment(store.execute)
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  await store.execute("INSERT INTO collection_counts VALUES ('s', '2026-03-09', 'accepted', '', 3, 100)")
  await store.control.close()
  const { db } = await store.open()

  const count = { site_id: 's', day: '2026-03-09', outcome: 'accepted', reason: '', events: 1, last_at: 200 } as const
  await db.insertInto('development_counts').values(count).execute()
  await db
    .insertInto('development_origins')
    .values({ site_id: 's', origin: 'http://localhost:3000', added_at: 1 })
    .execute()
  expect(await db.selectFrom('collection_counts').selectAll().execute()).toEqual([
    { ...count, events: 3, last_at: 100 },
  ])
  await expect(
    store.execute("INSERT INTO development_counts VALUES ('s', '2026-03-09', 'guessed', '', 1, 1)"),
  ).rejects.toThrow()

  await db.deleteFrom('sites').where('id', '=', 's').execute()
  expect(await db.selectFrom('development_counts').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('development_origins').selectAll().execute()).toEqual([])
})
