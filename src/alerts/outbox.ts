/** The outbox: every alert is recorded once, with a delivery for each receiver that takes its type (rules 8.6). */
import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '#clock.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { AlertRow, Truth } from '#control/tables.ts'
import { isIssueAlert, readEventTypes } from './event-types.ts'

export interface AlertedSite {
  id: string
  root_domain: string
}

export interface RecordedAlert {
  site: AlertedSite
  type: AlertEventType | 'alert.test'
  /** The subject; alerts of one subject reach a receiver in order. */
  subject_id: string
  /** Epoch milliseconds. */
  occurred_at: number
  is_sent_alone: Truth
  /** Members of the payload's `data` besides the site's. */
  data: object
}

/**
 * Changes of issues come in groups: an alert waits this long for another one of its type; the first of a group waits at
 * most the other time.
 */
export const GATHER_MS = MINUTE_MS
export const MAX_GATHER_MS = 15 * MINUTE_MS

/** Records an alert and a delivery for each active receiver of the site that takes its type. */
export async function recordAlert(trx: ControlTransaction, alert: RecordedAlert, now: number): Promise<AlertRow> {
  const row = await insertAlert(trx, alert, now)
  const receivers = await trx
    .selectFrom('alert_receivers')
    .select(['id', 'event_types'])
    .where((is) => is.and({ site_id: alert.site.id, state: 'active' }))
    .orderBy('id')
    .execute()
  const due_at = isIssueAlert(alert.type) ? now + GATHER_MS : now
  for (const { id, event_types } of receivers) {
    if (readEventTypes(event_types).includes(alert.type))
      await insertDelivery(trx, { alert: row, receiver_id: id, due_at })
  }
  return row
}

/** Records an alert without deliveries, which are inserted separately. */
export async function insertAlert(trx: ControlTransaction, alert: RecordedAlert, now: number): Promise<AlertRow> {
  const { site, type, subject_id, occurred_at, is_sent_alone, data } = alert
  const { newest } = await trx
    .selectFrom('alerts')
    .select(({ fn }) => fn.max('position').as('newest'))
    .executeTakeFirstOrThrow()
  const row: AlertRow = {
    id: randomUUID(),
    site_id: site.id,
    type,
    subject_id,
    occurred_at,
    is_sent_alone,
    recorded_at: now,
    position: newest === null ? 1 : Number(newest) + 1,
    data: JSON.stringify({ site_id: site.id, root_domain: site.root_domain, ...data }),
  }
  await trx.insertInto('alerts').values(row).execute()
  return row
}

/** Inserts the delivery of an alert for one receiver. */
export async function insertDelivery(
  trx: ControlTransaction,
  { alert, receiver_id, due_at }: { alert: AlertRow; receiver_id: string; due_at: number },
): Promise<string> {
  const id = randomUUID()
  const untried = { attempts: 0, attempted_at: null, ended_at: null, status: null, error_code: null, digest_id: null }
  await trx
    .insertInto('alert_deliveries')
    .values({ id, alert_id: alert.id, receiver_id, state: 'waiting', due_at, ...untried })
    .execute()
  return id
}
