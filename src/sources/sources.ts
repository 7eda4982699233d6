/** Sources as their owner steers them: made, listed, chosen as primary, disconnected and reconnected (rules 3). */

import { randomUUID } from 'node:crypto'
import type { IssuedSecret } from '#accounts/bearer-secret.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { FailedHourRow, SourceRow } from '#control/tables.ts'
import { interruptAuthority, resumeAuthority } from '#crawlers/authority/disconnect-interruptions.ts'
import { endedUploads } from '#crawlers/coverage/ended-uploads.ts'
import { readCoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { findSource } from './find-source.ts'
import { takeBackUpload } from './moved-upload.ts'
import { insertToken, liveTokens } from './tokens.ts'

/**
 * Makes a source that logs are delivered to over HTTPS, with its first token, whose secret is shown this once.
 * It is pending until something durable has arrived.
 * @throws Refusal invalid_input (name), conflict (the site has one of that name).
 */
export async function addIntakeSource(
  { control, clock }: ControlContext,
  { site_id, name: given }: { site_id: string; name: string },
): Promise<{ source: SourceRow; token: IssuedSecret }> {
  const name = checkName(given, 'a source')
  const source: SourceRow = {
    id: randomUUID(),
    site_id,
    source_type: 'https_intake',
    name,
    connection_status: 'pending',
    is_primary: 0,
    created_at: clock.now(),
    connected_at: null,
    data_through: null,
    has_statuses: 0,
    moved_to: null,
    vantage: null,
  }
  return control.transaction(async (trx) => {
    const taken = await trx
      .selectFrom('sources')
      .select('id')
      .where((is) => is.and({ site_id, source_type: 'https_intake', name }))
      .executeTakeFirst()
    if (taken !== undefined) {
      throw new Refusal(
        'conflict',
        `The site already has the source ${name}, with the id ${taken.id}: give it another token ({next}), or choose another name.`,
        { next: { step: 'source.token_create' } },
      )
    }
    await trx.insertInto('sources').values(source).execute()
    return { source, token: await insertToken(trx, { source_id: source.id, name, now: clock.now() }) }
  })
}

export interface ListedSource extends SourceRow {
  tokens: number
  error_code: string | null
  /** Hours of a zone that could not be read, ascending; each is tried again. */
  failed_hours: FailedHourRow[]
  /** An upload that is primary no more, because other primaries have later evidence of its hosts; its days count on. */
  has_ended: boolean
}

/** The sources of a site, oldest first, with their tokens in force and why the last poll of a zone failed. */
export async function listSources({ control, clock }: ControlContext, site_id: string): Promise<ListedSource[]> {
  return control.snapshot(async (trx) => {
    const sources = await trx
      .selectFrom('sources')
      .leftJoin('zones', 'zones.source_id', 'sources.id')
      .selectAll('sources')
      .select('zones.error_code')
      .where('site_id', '=', site_id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const tokens = await trx
      .selectFrom('source_tokens')
      .innerJoin('sources', 'sources.id', 'source_tokens.source_id')
      .select('source_tokens.source_id')
      .where('sources.site_id', '=', site_id)
      .where('source_tokens.revoked_at', 'is', null)
      .execute()
    const failed = await trx
      .selectFrom('failed_hours')
      .innerJoin('sources', 'sources.id', 'failed_hours.source_id')
      .selectAll('failed_hours')
      .where('sources.site_id', '=', site_id)
      .orderBy('hour')
      .execute()
    const known = await readCoverageEvidence(trx, site_id)
    const primaries = known.sources.filter((source) => source.is_primary === 1)
    const ended = endedUploads({ ...known, sources: primaries }, clock.now())
    return sources.map((source) => ({
      ...source,
      has_ended: source.moved_to !== null || ended.has(source.id),
      failed_hours: failed.filter((row) => row.source_id === source.id),
      tokens: tokens.filter((token) => token.source_id === source.id).length,
    }))
  })
}

/**
 * Lets a source count, or not. Its first durable evidence makes it primary by itself, so there is nothing to choose
 * before.
 * @throws Refusal not_found, conflict.
 */
export function setPrimary(
  { control }: Pick<ControlContext, 'control'>,
  { source, is_primary }: { source: string; is_primary: boolean },
): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, source)
    // A zone is connected with its verified token, before anything of it is stored.
    if (found.data_through === null) {
      throw new Refusal(
        'conflict',
        'Nothing durable has arrived from this source yet; its first evidence makes it primary, and then you may switch that off.',
      )
    }
    const values = { is_primary: is_primary ? 1 : 0 } as const
    // Uploads that were moved to a server count with it, or not at all.
    await trx.updateTable('sources').set(values).where('moved_to', '=', found.id).execute()
    return change(trx, found, values)
  })
}

/** Says whether a source sees what the edge or what the origin answered (rules 8.1, Vantage). */
export function setVantage(
  { control }: Pick<ControlContext, 'control'>,
  { source, vantage }: { source: string; vantage: 'edge' | 'origin' },
): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const found = await findSource(trx, source)
    await trx.updateTable('sources').set({ vantage }).where('moved_to', '=', found.id).execute()
    return change(trx, found, { vantage })
  })
}

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
    return change(trx, source, { connection_status: 'disconnected' })
  })
}

/**
 * Takes a disconnected source back under the same id; it waits for evidence. One that is connected stays as it is, but
 * for an interruption that was left open: no other word could end it.
 * @throws Refusal not_found, conflict (a Cloudflare zone needs a token).
 */
export function reconnectSource({ control, clock }: ControlContext, text: string): Promise<SourceRow> {
  return control.transaction(async (trx) => {
    const source = await findSource(trx, text)
    // Uploads that were moved to a named server are their own again.
    if (source.moved_to !== null) return takeBackUpload(trx, source)
    if (source.connection_status !== 'disconnected') {
      await resumeAuthority(trx, source, clock.now())
      return source
    }
    const connection_status = await reconnectedStatus(trx, source)
    await resumeAuthority(trx, source, clock.now())
    return change(trx, source, { connection_status })
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

function change(
  trx: ControlTransaction,
  source: SourceRow,
  values: Partial<Pick<SourceRow, 'is_primary' | 'connection_status' | 'vantage'>>,
): Promise<SourceRow> {
  return trx.updateTable('sources').set(values).where('id', '=', source.id).returningAll().executeTakeFirstOrThrow()
}
