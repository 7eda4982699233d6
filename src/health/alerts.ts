/** The state of alerts: waiting and failed deliveries, and receivers that are switched off. */

import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { countOf, formatCount, nameSome } from '#quantities.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

/** Deliveries of alerts as the metrics show them. */
export interface AlertCondition {
  waiting: number
  /** Since the alert that waits longest was recorded; null: none waits. */
  oldest_waiting_ms: number | null
  /** Given up, of the alerts of the last 30 days. */
  failed: number
  receivers: { unconfirmed: number; active: number; off: number }
}

/** Longer than a receiver that works needs, also with a few repeats. */
const WAITING_MS = HOUR_MS

/** The state of alerts and their receivers, for metrics. */
export async function readAlerts({ control, clock }: ControlContext): Promise<AlertCondition> {
  return control.snapshot(async (trx) => {
    const deliveries = await trx
      .selectFrom('alert_deliveries as delivery')
      .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
      .select(['delivery.state'])
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('alerts.recorded_at').as('oldest')])
      .where('delivery.state', 'in', ['waiting', 'failed'])
      .where('alerts.is_sent_alone', '=', 1)
      .groupBy('delivery.state')
      .execute()
    const receivers = await trx.selectFrom('alert_receivers').select('state').execute()
    const inState = (state: string) => deliveries.find((row) => row.state === state)
    const waiting = inState('waiting')
    const of = (state: string) => receivers.filter((row) => row.state === state).length
    return {
      waiting: waiting === undefined ? 0 : Number(waiting.count),
      oldest_waiting_ms: waiting === undefined ? null : clock.now() - Number(waiting.oldest),
      failed: Number(inState('failed')?.count ?? '0'),
      receivers: { unconfirmed: of('unconfirmed'), active: of('active'), off: of('off') },
    }
  })
}

/** Nothing where there is no receiver. */
export async function checkAlerts({ control, clock }: DiagnosticContext): Promise<Finding[]> {
  const receivers = await control.db
    .selectFrom('alert_receivers')
    .innerJoin('sites', 'sites.id', 'alert_receivers.site_id')
    .select(['sites.root_domain', 'state', 'off_reason', 'kind'])
    .orderBy('sites.root_domain')
    .execute()
  if (receivers.length === 0) return []
  const { waiting, oldest_waiting_ms } = await readAlerts({ control, clock })
  const found: Finding[] = []
  const off = receivers.filter((row) => row.state === 'off' && row.off_reason !== 'unsubscribed')
  if (off.length > 0) {
    const named = off.map(({ root_domain, kind, off_reason }) => `${root_domain} (${kind}, ${off_reason})`)
    found.push(finding('alert_receiver_off', `${nameSome(named)}.`))
  }
  if (oldest_waiting_ms !== null && oldest_waiting_ms > WAITING_MS) {
    const hours = Math.floor(oldest_waiting_ms / HOUR_MS)
    found.push(finding('alerts_waiting', `${formatCount(waiting)} wait, the oldest for ${formatCount(hours)} h.`))
  }
  const failed = await failedLately({ control, clock })
  if (failed > 0) found.push(finding('alerts_failed', `${formatCount(failed)} of the last 24 hours were given up.`))
  const well = `${countOf(receivers.length, 'receiver')} ${receivers.length === 1 ? 'is' : 'are'} alerted.`
  return found.length > 0 ? found : [finding('alerts', well)]
}

async function failedLately({ control, clock }: ControlContext): Promise<number> {
  const rows = await control.db
    .selectFrom('alert_deliveries')
    .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
    .select('alert_deliveries.id')
    .where((is) => is.and({ 'alerts.is_sent_alone': 1, state: 'failed' }))
    .where('ended_at', '>', clock.now() - DAY_MS)
    .execute()
  return rows.length
}
