/** A source is disconnected by its owner, and connected again under its old id (rules 3, States of a source). */
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
 * Ends a source: nothing more is taken from it, and what it covered keeps counting (rules 3). The token of a Cloudflare
 * zone is forgotten at once. The days after it are gaps of the hosts that are assigned to it (rules 5). Idempotent.
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
 * Takes a disconnected source back under the same id; it waits for evidence. One that is connected stays as it is, but
 * for an interruption that was left open: no other word could end it.
 * @throws Refusal not_found, conflict (a Cloudflare zone needs a token).
 */
export function reconnectSource({ control, clock }: ControlContext, text: string): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, text)
    // Uploads that were moved to a named server are their own again.
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

/** Uploads know no waiting; an intake source without a token in force is as good as revoked. */
async function reconnectedStatus(trx: ControlTransaction, source: SourceRow): Promise<SourceRow['connection_status']> {
  if (source.source_type === 'log_upload') return 'live'
  if (source.source_type === 'cloudflare_zone') {
    throw new Refusal(
      'conflict',
      `The token of the zone ${source.name} was forgotten when it was disconnected: connect it again with {next}; it keeps its id.`,
      { next: { step: 'source.connect' } },
    )
  }
  if (source.source_type === 'https_intake' && (await liveTokens(trx, source.id)) === 0) return 'revoked'
  return 'pending'
}
