import { expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { newGroup } from '#intake/facts/dirty-days.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import { serviceOfFile } from '../../support/fresh.ts'

const shared = serviceOfFile()
const DAY = '2026-03-09'

test('a node breaks off what it was writing, and what the service was that moved to servers, but nothing of others', async () => {
  const service = await shared.fresh('2026-03-10T12:00:00Z')
  const { control, clock } = service.crawlers
  const site = await service.addSite('example.com')
  await service.importText(site, history().on(DAY).humans().crawler('gptbot').requests(1))
  const { id: source_id } = await control.db.selectFrom('sources').select('id').executeTakeFirstOrThrow()
  const [own, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const writers = { own, other, moved: null }
  for (const [writer, node_id] of Object.entries(writers)) {
    const delivery = { site_id: site.id, source_id, started_at: clock.now(), finished_at: null, node_id }
    await control.db
      .insertInto('deliveries')
      .values({ ...delivery, id: writer, state: 'writing' })
      .execute()
    for (const cause of [writer, newGroup(node_id)]) {
      await control.db
        .insertInto('dirty_days')
        .values({ site_id: site.id, day: DAY, kind: 'crawlers', cause, state: 'writing', marked: 1 })
        .execute()
    }
  }
  expect(await control.transaction((tx) => markBrokenDeliveries(tx, own, clock.now()))).toBe(2)
  const writing = async (table: 'deliveries' | 'dirty_days', name: 'id' | 'cause') => {
    const found = await control.db.selectFrom(table).select(name).where('state', '=', 'writing').execute()
    return found.map((row) => String(Object.values(row)[0]).slice(0, 42))
  }
  expect(await writing('deliveries', 'id')).toEqual(['other'])
  expect((await writing('dirty_days', 'cause')).sort()).toEqual([`live:${other}:`, 'other'].sort())
})
