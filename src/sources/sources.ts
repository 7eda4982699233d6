/** Adds and lists sources (rules 3). */

import { randomUUID } from 'node:crypto'
import type { IssuedSecret } from '#accounts/bearer-secret.ts'
import type { ControlContext } from '#control/context.ts'
import type { FailedHourRow, SourceRow } from '#control/tables.ts'
import { reportedThrough } from '#crawlers/coverage/data-through.ts'
import { endedUploads } from '#crawlers/coverage/ended-uploads.ts'
import { readCoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { newSource } from './new-source.ts'
import { insertToken } from './tokens.ts'

/**
 * Adds a source for deliveries over HTTPS, with its first token, whose secret is shown only once. It is pending until
 * its first durable evidence.
 * @throws Refusal invalid_input (name), conflict (the site has one of that name).
 */
export async function addIntakeSource(
  { control, clock }: ControlContext,
  { site_id, name: given }: { site_id: string; name: string },
): Promise<{ source: SourceRow; token: IssuedSecret }> {
  const name = checkName(given, 'a source')
  const source = newSource({
    id: randomUUID(),
    site_id,
    source_type: 'https_intake',
    name,
    connection_status: 'pending',
    created_at: clock.now(),
  })
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
  /** An upload that is no longer primary, because other primary sources have later evidence; its days keep counting. */
  has_ended: boolean
  /** As in the site API: the slowest sender decides. Epoch milliseconds. */
  reported_through: number | null
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
    const now = clock.now()
    const ended = endedUploads({ ...known, sources: primaries }, now)
    return sources.map((source) => ({
      ...source,
      has_ended: source.moved_to !== null || ended.has(source.id),
      reported_through: reportedThrough(source, known.intervals, now, known.senders),
      failed_hours: failed.filter((row) => row.source_id === source.id),
      tokens: tokens.filter((token) => token.source_id === source.id).length,
    }))
  })
}
