/** Lists and retires the senders of an intake source (rules 3, Intake). */
import { DAY_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { senderSilences } from '#crawlers/coverage/silent-senders.ts'
import { readCoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { Refusal } from '#refusal.ts'
import { findSource } from './find-source.ts'

export interface SenderSummary {
  source_id: string
  name: string
  /** The name of the token whose id identifies the sender; null: the sender has a name of its own. */
  token_name: string | null
  last_record_at: number
  last_received_at: number
  retired_at: number | null
  /** Until then its silence makes days partial. */
  expected_until: number
  /** Days of the last 30 that its silence makes partial. */
  silent_days: string[]
}

/** The time before now for which silent days are listed. */
const SILENT_DAYS_MS = 30 * DAY_MS

/** The senders of a source, by name. @throws Refusal not_found, conflict (the source has no senders). */
export function listSenders({ control, clock }: ControlContext, text: string): Promise<SenderSummary[]> {
  return control.snapshot(async (trx) => {
    const source = await findSource(trx, text)
    refuseWithoutSenders(source.source_type)
    const known = await readCoverageEvidence(trx, source.site_id)
    const tokens = await trx
      .selectFrom('source_tokens')
      .select(['id', 'name'])
      .where('source_id', '=', source.id)
      .execute()
    const now = clock.now()
    const silences = senderSilences(source, known, now - SILENT_DAYS_MS, now)
    const rows = known.senders.filter((row) => row.source_id === source.id)
    return rows
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((row) => {
        const silence = silences.find(({ sender }) => sender === row.name)
        return {
          ...row,
          token_name: tokens.find(({ id }) => id === row.name)?.name ?? null,
          expected_until: silence === undefined ? row.last_received_at : silence.expected_until,
          silent_days: silence === undefined ? [] : silence.days,
        }
      })
  })
}

/**
 * Retires a sender: it is expected only until its last coverage, so that its later silence makes no day partial. Its
 * deliveries still count, and its next delivery makes it expected again. Repeating it changes nothing.
 * @throws Refusal not_found, conflict.
 */
export async function retireSender(
  ctx: ControlContext,
  { source: text, sender }: { source: string; sender: string },
): Promise<SenderSummary> {
  const { control, clock } = ctx
  const source_id = await control.transaction(async (trx) => {
    const source = await findSource(trx, text)
    refuseWithoutSenders(source.source_type)
    const senders = await trx.selectFrom('senders').selectAll().where('source_id', '=', source.id).execute()
    const found = senders.find((row) => row.name === sender)
    if (found === undefined) {
      const names = senders.map((row) => JSON.stringify(row.name)).join(', ')
      throw new Refusal(
        'not_found',
        `The source has no sender ${JSON.stringify(sender)}; it has ${names === '' ? 'none yet' : names}.`,
      )
    }
    if (found.retired_at === null) {
      await trx
        .updateTable('senders')
        .set({ retired_at: clock.now() })
        .where((is) => is.and({ source_id: source.id, name: sender }))
        .execute()
    }
    return source.id
  })
  const [retired] = (await listSenders(ctx, source_id)).filter((row) => row.name === sender)
  return retired as SenderSummary
}

function refuseWithoutSenders(source_type: string): void {
  if (source_type === 'https_intake') return
  throw new Refusal('conflict', `Only sources of the type https_intake have senders; this one is ${source_type}.`)
}
