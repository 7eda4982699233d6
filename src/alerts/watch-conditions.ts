/**
 * Alerts about sources and trackers: once a minute their conditions are compared with those that alerts know, and each
 * difference is recorded together with the new condition (rules 8.6). What is seen for the first time is only
 * remembered.
 */

import { instantOrNull } from '#clock.ts'
import type { AlertEventType } from '#contract/vocabulary.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { AlertConditionRow, SourceRow } from '#control/tables.ts'
import { reportedThrough } from '#crawlers/coverage/data-through.ts'
import { readCoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { readTrackerSignals, type TrackerSignal } from '#tracker/coverage/tracker-signals.ts'
import { type AlertedSite, recordAlert } from './outbox.ts'
import type { AlertData } from './payload.ts'

type Condition = AlertConditionRow['condition']

interface Observed {
  site: AlertedSite
  subject_id: string
  /** Null: it says nothing now, and what was known stands. */
  condition: Condition | null
  /** Of a condition that is alerted of. */
  type(condition: Condition): AlertEventType
  data: Pick<AlertData, 'source' | 'tracker'>
}

interface ConditionChange extends Omit<Observed, 'condition'> {
  condition: Condition
  /** Undefined: it is seen for the first time. */
  before: Condition | undefined
}

/** Returns how many alerts were recorded. */
export async function watchConditions(
  { control, clock }: ControlContext,
  check: (trx: ControlTransaction) => Promise<void>,
): Promise<number> {
  const now = clock.now()
  // Nearly always nothing has changed, and then there is no wait for a turn to write.
  if ((await control.snapshot((trx) => findChanges(trx, now))).length === 0) return 0
  return control.transaction(async (trx) => {
    await check(trx)
    let recorded = 0
    for (const { site, subject_id, before, condition, type, data } of await findChanges(trx, now)) {
      await remember(trx, { site_id: site.id, subject_id, condition })
      if (!isAlertedOf(before, condition)) continue
      const alert = { site, type: type(condition), subject_id, occurred_at: now, is_sent_alone: 1 } as const
      await recordAlert(trx, { ...alert, data: await withReported(trx, site, data, now) }, now)
      recorded++
    }
    return recorded
  })
}

/** How far a source has reported is worked out as in answers, of several senders by the slowest (spec 2.2). */
async function withReported(
  trx: ControlTransaction,
  { id: site_id }: AlertedSite,
  data: Observed['data'],
  now: number,
): Promise<Observed['data']> {
  if (data.source === undefined) return data
  const { sources, intervals, senders } = await readCoverageEvidence(trx, site_id)
  const source = sources.find(({ id }) => id === data.source?.id)
  const through = source === undefined ? null : reportedThrough(source, intervals, now, senders)
  return { source: { ...data.source, data_through: instantOrNull(through) } }
}

async function findChanges(trx: ControlTransaction, now: number): Promise<ConditionChange[]> {
  const rows = await trx.selectFrom('alert_conditions').selectAll().execute()
  const known = new Map(rows.map((row) => [row.subject_id, row.condition]))
  return [...(await readSources(trx)), ...(await readTrackers(trx, now))].flatMap(({ condition, ...observed }) => {
    const before = known.get(observed.subject_id)
    return condition === null || condition === before ? [] : [{ ...observed, condition, before }]
  })
}

const TROUBLE: ReadonlySet<Condition | undefined> = new Set(['silent', 'error', 'no_signal'])

/** Trouble that begins or changes, and its end by evidence; not its end by the owner's word. */
const isAlertedOf = (before: Condition | undefined, after: Condition): boolean =>
  before !== undefined && (TROUBLE.has(after) || (after === 'well' && TROUBLE.has(before)))

async function remember(trx: ControlTransaction, row: AlertConditionRow): Promise<void> {
  await trx
    .insertInto('alert_conditions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['site_id', 'subject_id']).doUpdateSet({ condition: row.condition }))
    .execute()
}

async function readSources(trx: ControlTransaction): Promise<Observed[]> {
  const rows = await trx
    .selectFrom('sources')
    .innerJoin('sites', 'sites.id', 'sources.site_id')
    .select(['sources.id', 'sources.source_type', 'sources.name', 'connection_status', 'data_through'])
    .select(['sources.site_id', 'sites.root_domain'])
    .where('moved_to', 'is', null)
    .orderBy('sources.id')
    .execute()
  return rows.map(({ id, source_type, name, connection_status, data_through, site_id, root_domain }) => ({
    site: { id: site_id, root_domain },
    subject_id: id,
    condition: conditionOf({ source_type, connection_status }),
    type: (condition) => {
      if (condition === 'well') return 'source.recovered'
      return condition === 'silent' ? 'source.silent' : 'source.error'
    },
    data: { source: { id, source_type, name, connection_status, data_through: instantOrNull(data_through) } },
  }))
}

function conditionOf({ source_type, connection_status }: Pick<SourceRow, 'source_type' | 'connection_status'>) {
  switch (connection_status) {
    case 'live':
      return 'well'
    case 'error':
      return source_type === 'https_intake' ? 'silent' : 'error'
    case 'revoked':
      // Cloudflare refuses a zone's token; the tokens of an intake are revoked by its owner.
      return source_type === 'cloudflare_zone' ? 'error' : 'ended'
    case 'disconnected':
      return 'ended'
    case 'pending':
      return null
  }
}

async function readTrackers(trx: ControlTransaction, now: number): Promise<Observed[]> {
  return (await readTrackerSignals(trx, now)).map(({ site_id, root_domain, last_event_at, signal }) => ({
    site: { id: site_id, root_domain },
    subject_id: site_id,
    condition: CONDITION_OF_SIGNAL[signal],
    type: (condition) => (condition === 'well' ? 'tracker.recovered' : 'tracker.no_signal'),
    data: {
      tracker: { state: signal === 'no_signal' ? 'no_signal' : 'live', last_event_at: instantOrNull(last_event_at) },
    },
  }))
}

const CONDITION_OF_SIGNAL: Readonly<Record<TrackerSignal['signal'], Condition | null>> = {
  live: 'well',
  no_signal: 'no_signal',
  disabled: 'ended',
  awaited: null,
}
