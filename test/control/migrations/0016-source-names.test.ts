/** A store of an older version: its sources keep their names, and the site has each name only once, as before. */
import { expect, onTestFinished, test } from 'vitest'
import { openTestControl } from '../../support/control.ts'
import { takeBackSourceNames } from './take-back.ts'

test('a source’s server becomes its name, and is still unique among the uploads and intakes of its site', async () => {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await takeBackSourceNames(store.execute)
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    "INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('s', 'a', 'example.com', 1, 400)",
  )
  const old = [
    ['unnamed', 'log_upload', ''],
    ['web1', 'log_upload', 'web1'],
    ['sender', 'https_intake', 'web1'],
    ['zone', 'cloudflare_zone', 'example.com'],
  ] as const
  for (const [id, type, server] of old) {
    await store.execute(
      `INSERT INTO sources (id, site_id, source_type, server, connection_status, is_primary, created_at, has_statuses)
       VALUES ('${id}', 's', '${type}', '${server}', 'live', 1, 1, 0)`,
    )
  }
  await store.control.close()
  const { db } = await store.open()
  const rows = await db.selectFrom('sources').select(['id', 'source_type', 'name']).execute()
  expect(rows.map(({ id, source_type, name }) => [id, source_type, name]).sort()).toEqual([...old].sort())
  const web1 = await db.selectFrom('sources').selectAll().where('id', '=', 'web1').executeTakeFirstOrThrow()
  for (const source_type of ['log_upload', 'https_intake'] as const) {
    const again = db.insertInto('sources').values({ ...web1, id: `second ${source_type}`, source_type })
    await expect(again.execute()).rejects.toThrow(/unique/i)
  }
})
