/** Several waiting alerts of one type become one (rules 8.6). */
import type { ControlTransaction } from '#control/store.ts'
import type { AlertRow } from '#control/tables.ts'
import { insertAlert, insertDelivery } from './outbox.ts'
import { type DigestData, type DigestIssue, MAX_DIGEST_ISSUES, readAlertData } from './payload.ts'
import type { WaitingDelivery } from './plan.ts'

/**
 * Replaces waiting deliveries of one receiver and type by a digest, which is due at once.
 */
export async function makeDigest(
  trx: ControlTransaction,
  deliveries: readonly WaitingDelivery[],
  now: number,
): Promise<void> {
  const alerts = await stillWaiting(trx, deliveries)
  const [first] = alerts
  const [delivery] = deliveries
  if (first === undefined || delivery === undefined) return
  const { site_id, root_domain } = readAlertData(first)
  const digest = await insertAlert(
    trx,
    {
      site: { id: site_id, root_domain },
      type: 'issue.digest',
      subject_id: delivery.receiver_id,
      is_sent_alone: 1,
      occurred_at: Math.max(...alerts.map((alert) => alert.occurred_at)),
      data: { digest: digestOf(alerts) },
    },
    now,
  )
  await insertDelivery(trx, { alert: digest, receiver_id: delivery.receiver_id, due_at: now })
  await trx
    .updateTable('alert_deliveries')
    .set({ state: 'in_digest', digest_id: digest.id, ended_at: now })
    .where('receiver_id', '=', delivery.receiver_id)
    .where(
      'alert_id',
      'in',
      alerts.map((alert) => alert.id),
    )
    .execute()
}

function stillWaiting(trx: ControlTransaction, deliveries: readonly WaitingDelivery[]): Promise<AlertRow[]> {
  return trx
    .selectFrom('alert_deliveries')
    .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
    .selectAll('alerts')
    .where(
      'alert_deliveries.id',
      'in',
      deliveries.map(({ id }) => id),
    )
    .where('alert_deliveries.state', '=', 'waiting')
    .orderBy('alerts.position')
    .execute()
}

function digestOf(alerts: readonly AlertRow[]): DigestData {
  const issues = alerts.flatMap((alert) => readAlertData(alert).issue ?? [])
  return {
    event_type: alerts[0]?.type ?? '',
    issue_count: issues.length,
    issues: issues.slice(0, MAX_DIGEST_ISSUES).map(
      ({ id, title, state, cause, confidence, path, crawler_id, detected_at, fix_confirmed_at }): DigestIssue => ({
        id,
        title,
        state,
        cause,
        confidence,
        path,
        crawler_id,
        detected_at,
        fix_confirmed_at,
      }),
    ),
    truncated: issues.length > MAX_DIGEST_ISSUES,
  }
}
