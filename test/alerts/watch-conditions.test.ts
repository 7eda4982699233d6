import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { watchConditions } from '#alerts/watch-conditions.ts'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { recordSnippetInspection } from '#inspections/snippet-inspections.ts'
import { type AlertWorld, alertWorldOfFile } from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

let world: AlertWorld
beforeEach(async () => {
  world = await freshWorld('2026-03-10T12:00:00Z')
})

const db = () => world.store.control.db
const watch = () => watchConditions(world.ctx, async () => {})

async function addSource(source_type: SourceRow['source_type']) {
  const id = randomUUID()
  const row = {
    id,
    site_id: world.site.id,
    source_type,
    name: 'edge',
    connection_status: 'live',
    is_primary: 1,
  } as const
  const times = { created_at: 1, connected_at: 1, data_through: world.clock.now(), has_statuses: 1 } as const
  await db()
    .insertInto('sources')
    .values({ ...row, ...times })
    .execute()
  return {
    id,
    becomes: (connection_status: SourceRow['connection_status']) =>
      db().updateTable('sources').set({ connection_status }).where('id', '=', id).execute(),
  }
}

async function seen() {
  await watch()
  const rows = await db().selectFrom('alerts').select(['type', 'data']).orderBy('position').execute()
  return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }))
}
const types = async () => (await seen()).map(({ type }) => type)

describe('alerts about sources (rules 8.6)', () => {
  test('say once that an intake fell silent, and once that it delivers again', async () => {
    const { id, becomes } = await addSource('https_intake')
    expect(await types()).toEqual([])
    await becomes('error')
    const [silent] = await seen()
    expect(silent).toEqual({
      type: 'source.silent',
      data: {
        site_id: world.site.id,
        root_domain: 'example.com',
        source: {
          id,
          source_type: 'https_intake',
          name: 'edge',
          connection_status: 'error',
          data_through: '2026-03-10T12:00:00.000Z',
        },
      },
    })
    expect(await types()).toEqual(['source.silent'])
    await becomes('live')
    expect(await types()).toEqual(['source.silent', 'source.recovered'])
    await becomes('error')
    expect(await types()).toEqual(['source.silent', 'source.recovered', 'source.silent'])
  })

  test('say how far the slowest sender has reported, as answers do', async () => {
    const { id, becomes } = await addSource('https_intake')
    const last = world.clock.now()
    for (const [name, ago] of [
      ['web1', 0],
      ['web2', HOUR_MS],
    ] as const)
      await db()
        .insertInto('senders')
        .values({ source_id: id, name, last_record_at: last - ago, last_received_at: last })
        .execute()
    await watch()
    await becomes('error')
    world.clock.advance(DAY_MS)
    expect((await seen())[0]?.data).toMatchObject({ source: { data_through: '2026-03-10T11:00:00.000Z' } })
  })

  test('say that a zone or an upload failed, even if a refused token is followed by a good poll', async () => {
    const zone = await addSource('cloudflare_zone')
    await watch()
    await zone.becomes('error')
    expect(await types()).toEqual(['source.error'])
    await zone.becomes('revoked')
    expect(await types()).toEqual(['source.error'])
    await zone.becomes('pending')
    expect(await types()).toEqual(['source.error'])
    await zone.becomes('live')
    expect(await types()).toEqual(['source.error', 'source.recovered'])
  })

  test('do not report actions of the owner, or problems that existed before', async () => {
    const intake = await addSource('https_intake')
    await intake.becomes('error')
    expect(await types()).toEqual([])
    await intake.becomes('disconnected')
    await watch()
    await intake.becomes('live')
    await watch()
    await intake.becomes('revoked')
    expect(await types()).toEqual([])
  })
})

describe('alerts about the tracker (rules 6, 8.6)', () => {
  const track = (row: object) => db().updateTable('trackers').set(row).execute()
  const inspect = (outcome: string) =>
    recordSnippetInspection(db(), {
      site_id: world.site.id,
      host: 'example.com',
      inspected_at: world.clock.now(),
      outcome,
    })

  test('say that neither events nor the snippet were seen for a day, and that events are back', async () => {
    const never = { disabled_at: null, first_event_at: null, last_event_at: null }
    await db()
      .insertInto('trackers')
      .values({ site_id: world.site.id, enabled_at: 1, sealed_order_key: 'sealed', ...never })
      .execute()
    await inspect('not_found')
    expect(await types()).toEqual([])
    await track({ first_event_at: world.clock.now(), last_event_at: world.clock.now() })
    await watch()
    world.clock.advance(DAY_MS - HOUR_MS)
    expect(await types()).toEqual([])
    world.clock.advance(HOUR_MS)
    await inspect('timeout')
    expect(await types()).toEqual([])
    await inspect('not_found')
    const [{ data } = expect.fail()] = await seen()
    expect(data.tracker).toEqual({ state: 'no_signal', last_event_at: '2026-03-10T12:00:00.000Z' })
    await track({ last_event_at: world.clock.now() })
    expect(await types()).toEqual(['tracker.no_signal', 'tracker.recovered'])
    await track({ disabled_at: world.clock.now() })
    world.clock.advance(2 * DAY_MS)
    expect(await types()).toEqual(['tracker.no_signal', 'tracker.recovered'])
  })
})

test('an alert and the condition that it is about are recorded together', async () => {
  const { becomes } = await addSource('https_intake')
  await watch()
  await becomes('error')
  const lost = watchConditions(world.ctx, async () => {
    throw new Error('taken over')
  })
  await expect(lost).rejects.toThrow('taken over')
  expect(await types()).toEqual(['source.silent'])
})
