/** Alerts as jobs, in several processes; on PostgreSQL each has connections of its own. */
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { alertJobs } from '#jobs/alert-jobs.ts'
import { type Schedule, startSchedule } from '#jobs/schedule.ts'
import { type AlertWorld, alertWorldOfFile, issueChange, webhookStandIn } from '../support/alerts.ts'

const freshWorld = alertWorldOfFile()

const DELIVER = 'deliver_alerts'

async function startProcess(world: AlertWorld, is_clock_simulated = false): Promise<Schedule> {
  // A folder with SQLite has one process only.
  const control = inject('control_store') === 'postgres' ? await world.store.open() : world.store.control
  const { clock } = world
  const log = pino({ level: 'silent' })
  const context = { control, clock, log, is_clock_simulated, look_every_ms: 20 }
  const schedule = startSchedule(
    context,
    alertJobs({ ...world.ctx, control }, () => void schedule.nudge(DELIVER)),
  )
  onTestFinished(() => schedule.stop())
  return schedule
}

/**
 * Jobs that have not ended yet. A run that is under way while a test moves the clock by more than a lease is taken for
 * one that vanished: another process would begin it again, and both would deliver.
 */
async function jobsAtWork({ store }: AlertWorld): Promise<string[]> {
  const jobs = await store.control.db.selectFrom('jobs').selectAll().execute()
  const rested = jobs.filter(({ lease_owner, last_ended_at }) => lease_owner === null && last_ended_at !== null)
  return ['watch_conditions', DELIVER, 'forget_alerts'].filter((name) => !rested.some((job) => job.name === name))
}

describe('of several processes on one control store', () => {
  test('one delivers each alert, once', async () => {
    const world = await freshWorld('2026-03-10T12:00:00Z')
    const standIn = await webhookStandIn()
    // Long enough for another process to find the same alerts waiting.
    standIn.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 50)
    await world.add(standIn.url, ['issue.opened'])
    const processes = await Promise.all([startProcess(world), startProcess(world), startProcess(world)])
    await expect.poll(() => jobsAtWork(world)).toEqual([])
    const numbers = Array.from({ length: 10 }, (_, at) => at + 1)
    await world.enqueue(...numbers.map((number) => issueChange(world.clock, 'opened', number)))
    world.clock.advance(2 * MINUTE_MS)
    await Promise.all(processes.map((one) => one.nudge(DELIVER)))
    await expect.poll(async () => (await world.deliveries()).every(({ state }) => state === 'delivered')).toBe(true)
    expect(standIn.received).toHaveLength(10)
    expect(new Set(standIn.received.map(({ headers }) => headers['webhook-id'])).size).toBe(10)
    expect((await world.deliveries()).map(({ attempts }) => attempts)).toEqual(numbers.map(() => 1))
  })
})

test('an alert about a source is delivered as soon as it was recorded', async () => {
  const world = await freshWorld('2026-03-10T12:00:00Z')
  const standIn = await webhookStandIn()
  await world.add(standIn.url)
  const { db } = world.store.control
  const id = randomUUID()
  const source = { id, site_id: world.site.id, source_type: 'https_intake', name: 'edge', is_primary: 1 } as const
  const times = { created_at: 1, connected_at: 1, data_through: 1, has_statuses: 1 } as const
  await db
    .insertInto('sources')
    .values({ ...source, ...times, connection_status: 'live' })
    .execute()
  const schedule = await startProcess(world)
  await expect.poll(() => db.selectFrom('alert_conditions').selectAll().execute()).toHaveLength(1)
  await db.updateTable('sources').set({ connection_status: 'error' }).where('id', '=', id).execute()
  await schedule.nudge('watch_conditions')
  await expect.poll(() => standIn.received.map(({ json }) => json.type)).toEqual(['source.silent'])
})

test('under a simulated clock no alert is sent, searched for or deleted', async () => {
  const world = await freshWorld('2026-03-10T12:00:00Z')
  expect((await startProcess(world, true)).jobs).toEqual([])
  expect((await startProcess(world)).jobs).toEqual(['watch_conditions', DELIVER, 'forget_alerts'])
})
