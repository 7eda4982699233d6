/** The log of deliveries, kept for 30 days (rules 8.6). */

import { DAY_MS, instantOrNull, instantText } from '#clock.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'

const KEPT_MS = 30 * DAY_MS
/** Longer than any issue lives without another alert. */
const ISSUES_KEPT_MS = 400 * DAY_MS

/** The deliveries of a site, newest first. */
export async function listDeliveries(
  db: ControlDb,
  { site_id, receiver_id, limit }: { site_id: string; receiver_id: string | null; limit: number },
): Promise<ManagementOutput<'alert.delivery_list'>> {
  const ofSite = db
    .selectFrom('alert_deliveries as delivery')
    .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
    .innerJoin('alert_receivers as receiver', 'receiver.id', 'delivery.receiver_id')
    .selectAll('delivery')
    .select(['alerts.type', 'alerts.subject_id', 'alerts.occurred_at', 'receiver.target'])
    .where('alerts.site_id', '=', site_id)
  const chosen = receiver_id === null ? ofSite : ofSite.where('delivery.receiver_id', '=', receiver_id)
  const rows = await chosen.orderBy('alerts.position', 'desc').orderBy('delivery.id').limit(limit).execute()
  return {
    deliveries: rows.map(({ id, alert_id, receiver_id, target, type, subject_id, state, attempts, ...row }) => ({
      id,
      alert_id,
      receiver_id,
      target,
      type,
      subject_id,
      state,
      attempts,
      occurred_at: instantText(row.occurred_at),
      next_attempt_at: state === 'waiting' ? instantText(row.due_at) : null,
      attempted_at: instantOrNull(row.attempted_at),
      ended_at: instantOrNull(row.ended_at),
      status: row.status,
      error_code: row.error_code,
      digest_id: row.digest_id,
    })),
  }
}

/** Deletes alerts with their deliveries after 30 days, and much later the record of their issues. */
export async function forgetAlerts({ control, clock }: ControlContext): Promise<void> {
  const now = clock.now()
  await control.db
    .deleteFrom('alerts')
    .where('recorded_at', '<', now - KEPT_MS)
    .execute()
  await control.db
    .deleteFrom('alerted_issues')
    .where('last_day', '<', utcDay(now - ISSUES_KEPT_MS))
    .execute()
}
