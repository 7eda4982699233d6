/** The owner disconnects a source, or connects it again under its id (rules 3, States of a source). */
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { interruptAuthority, resumeAuthority } from '#crawlers/authority/disconnect-interruptions.ts'
import { Refusal } from '#refusal.ts'
import { updateSource } from './change-source.ts'
import { findSource } from './find-source.ts'
import { takeBackUpload } from './moved-upload.ts'
import { liveTokens } from './tokens.ts'

/**
 * Disconnects a source: its deliveries are refused, and its coverage keeps counting (rules 3). The token of a
 * Cloudflare zone is deleted at once. Later days are gaps of the hosts that are assigned to it (rules 5). Repeatable.
 */
export function disconnectSource({ control, clock }: ControlContext, text: string): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const source = await findSource(trx, text)
    await trx
      .updateTable('zones')
      .set({ sealed_token: null, error_code: null })
      .where('source_id', '=', source.id)
      .execute()
    if (source.connection_status === 'disconnected') return source
    await interruptAuthority(trx, source, clock.now())
    return updateSource(trx, source, { connection_status: 'disconnected' })
  })
}

/**
 * Reconnects a disconnected source under the same id; it waits for evidence. If the source is connected, this only ends
 * an open interruption, which nothing else could end.
 * @throws Refusal not_found, conflict (a Cloudflare zone needs a token).
 */
export function reconnectSource({ control, clock }: ControlContext, text: string): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, text)
    // An upload that was moved to a named server is separated from it.
    const source = found.moved_to === null ? found : await takeBackUpload(trx, found)
    if (source.connection_status !== 'disconnected') {
      await resumeAuthority(trx, source, clock.now())
      return source
    }
    const connection_status = await reconnectedStatus(trx, source)
    await resumeAuthority(trx, source, clock.now())
    return updateSource(trx, source, { connection_status })
  })
}

/** The state after reconnecting: uploads are live, and an intake source without a token in force is revoked. */
async function reconnectedStatus(trx: ControlTransaction, source: SourceRow): Promise<SourceRow['connection_status']> {
  if (source.source_type === 'log_upload') return 'live'
  if (source.source_type === 'cloudflare_zone') {
    throw new Refusal(
      'conflict',
      `The token of the zone ${source.name} was deleted when it was disconnected: connect it again with {next}; it keeps its id.`,
      { next: { step: 'source.connect' } },
    )
  }
  if (source.source_type === 'https_intake' && (await liveTokens(trx, source.id)) === 0) return 'revoked'
  return 'pending'
}
