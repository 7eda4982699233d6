import { beforeEach, describe, expect, test } from 'vitest'
import { enqueueAlerts } from '#alerts/enqueue.ts'
import { addWebhook, listReceivers } from '#alerts/receivers.ts'
import { DAY_MS } from '#clock.ts'
import { type AlertWorld, alertWorldOfFile, issueChange } from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

const URL_OF_RECEIVER = 'http://127.0.0.1:8099/hook'
let world: AlertWorld
beforeEach(async () => {
  world = await freshWorld('2026-03-10T12:00:00Z')
})

const change = (...given: Parameters<typeof issueChange> extends [unknown, ...infer Rest] ? Rest : never) =>
  issueChange(world.clock, ...given)
const alerts = () => world.store.control.db.selectFrom('alerts').selectAll().orderBy('position').execute()

describe('recording alerts (rules 8.2, 8.6)', () => {
  test('happens in the transaction of the change: a change that is rolled back sends no alert', async () => {
    await world.add(URL_OF_RECEIVER)
    const { control } = world.store
    const failing = control.transaction(async (trx) => {
      await enqueueAlerts(trx, world.site, [change('opened', 1)], { now: world.clock.now(), is_clock_simulated: false })
      throw new Error('taken back')
    })
    await expect(failing).rejects.toThrow('taken back')
    expect(await alerts()).toEqual([])
    expect(await world.enqueue(change('opened', 1))).toBe(1)
    expect(await world.deliveries()).toMatchObject([{ type: 'issue.opened', state: 'waiting', attempts: 0 }])
  })

  test('an issue sends one alert when it opens, and each other kind once per UTC day', async () => {
    expect(await world.enqueue(change('opened', 1), change('opened', 1))).toBe(1)
    expect(await world.enqueue(change('fix_detected', 1), change('regressed', 1))).toBe(2)
    expect(await world.enqueue(change('fix_detected', 1), change('regressed', 1))).toBe(0)
    world.clock.advance(DAY_MS)
    expect(await world.enqueue(change('opened', 1))).toBe(0)
    expect(await world.enqueue(change('fix_detected', 1), change('regressed', 1))).toBe(2)
    expect((await alerts()).map(({ type }) => type)).toEqual([
      ...['issue.opened', 'issue.fix_detected', 'issue.regressed', 'issue.fix_detected', 'issue.regressed'],
    ])
  })

  test('an issue without an alert sends neither a withdrawal nor a fix', async () => {
    expect(await world.enqueue(change('withdrawn', 1), change('fix_detected', 1), change('fix_confirmed', 1))).toBe(0)
    await world.enqueue(change('opened', 1))
    expect(await world.enqueue(change('withdrawn', 1))).toBe(1)
    expect(await world.enqueue(change('withdrawn', 2))).toBe(0)
  })

  test('harm to crawlers known only by user agent sends an alert after two days or 20 requests', async () => {
    const thin = { unverified_harm: { request_count: 19, day_count: 1 } }
    expect(await world.enqueue(change('opened', 1, thin), change('regressed', 2, thin))).toBe(0)
    expect(await world.enqueue(change('opened', 1, { unverified_harm: { request_count: 20, day_count: 1 } }))).toBe(1)
    expect(await world.enqueue(change('opened', 3, { unverified_harm: { request_count: 3, day_count: 2 } }))).toBe(1)
    // Its later changes hang on what was alerted of, not on how much harm is left.
    expect(await world.enqueue(change('fix_detected', 1, thin))).toBe(1)
  })

  test('a page that is gone is recorded to be sent in a digest only', async () => {
    await world.enqueue(change('opened', 1, { harm: 'gone' }), change('opened', 2, { harm: 'refused' }))
    expect((await alerts()).map((alert) => alert.is_sent_alone)).toEqual([0, 1])
  })

  test('an alert contains only the fields of its issue type, without a fix prompt, and foreign text is cut and cleaned', async () => {
    const path = `/a\u202eb\u0007${'x'.repeat(300)}`
    const issue = { path, fix_prompt: 'secret advice', title: 'got 503\u2028on /a\u202e', description: 'line\nbreak' }
    const ref = {
      kind: 'rollup_daily',
      host: 'example.com',
      path_key: path,
      status: 503,
      count: 9,
      window: 'w',
    } as const
    const unit = { host: 'www.example.com', harm: 'server_error' } as const
    await world.enqueue(change('opened', 1, { issue: { ...issue, ...unit, evidence_refs: [ref] } }))
    const [alert] = await alerts()
    expect(alert?.data).not.toMatch(/fix_prompt|secret advice/)
    const { issue: sent, ...rest } = JSON.parse(String(alert?.data))
    expect(rest).toEqual({ site_id: world.site.id, root_domain: 'example.com' })
    expect(sent.title).toBe('got 503on /a')
    expect(sent.description).toBe('linebreak')
    expect(sent.path).toBe(`/ab${'x'.repeat(116)}…`)
    expect(sent.evidence_refs[0].path_key).toBe(sent.path)
    expect(sent).toMatchObject(unit)
    expect(Object.keys(sent).sort()).toEqual(
      [
        ...['cause', 'confidence', 'crawler_id', 'description', 'detected_at', 'evidence_refs', 'fix_confirmed_at'],
        ...['harm', 'host', 'id', 'path', 'state', 'title'],
      ].sort(),
    )
  })

  test('under --clock nothing is recorded', async () => {
    const { control } = world.store
    const options = { now: world.clock.now(), is_clock_simulated: true }
    expect(await control.transaction((trx) => enqueueAlerts(trx, world.site, [change('opened', 1)], options))).toBe(0)
    expect(await alerts()).toEqual([])
  })

  test('reaches the active receivers of the site that subscribe to the type, and no other site', async () => {
    const all = await world.add(URL_OF_RECEIVER)
    await world.add('http://127.0.0.1:8098/', ['issue.withdrawn'])
    const other = await world.addSite('other.example')
    await addWebhook(world.ctx, { site_id: other.id, url: URL_OF_RECEIVER })
    await world.enqueue(change('opened', 1))
    const rows = await world.store.control.db.selectFrom('alert_deliveries').select('receiver_id').execute()
    expect(rows).toEqual([{ receiver_id: all.receiver.id }])
  })

  test('is deleted with its site', async () => {
    await world.add(URL_OF_RECEIVER)
    await world.enqueue(change('opened', 1))
    await world.store.control.db.deleteFrom('sites').where('id', '=', world.site.id).execute()
    expect(await alerts()).toEqual([])
    expect(await listReceivers(world.store.control.db, world.site.id)).toEqual([])
    expect(await world.deliveries()).toEqual([])
  })
})
