import { hashSecret, isSameHash } from '#accounts/bearer-secret.ts'
import type { KeyUses } from '#accounts/key-uses.ts'
import type { ControlContext } from '#control/context.ts'
import type { SourceRow } from '#control/tables.ts'
import { sourceTokens } from './tokens.ts'

/** The source that a token may deliver to; never cached between requests. */
export interface Deliverer {
  token_id: string
  source_id: string
  site_id: string
  root_domain: string
  /** The retention of the site, by the day of requests. */
  retention_days: number
  connection_status: SourceRow['connection_status']
}

/** The source of a token; null: unknown, revoked or another kind. Suspended accounts still deliver (rules 1). */
export async function authenticateToken(
  { control, clock, uses }: ControlContext & { uses: KeyUses },
  secret: string,
): Promise<Deliverer | null> {
  if (!sourceTokens.looksLike(secret)) return null
  const computed = hashSecret(secret)
  const found = await control.db
    .selectFrom('source_tokens')
    .innerJoin('sources', 'sources.id', 'source_tokens.source_id')
    .innerJoin('sites', 'sites.id', 'sources.site_id')
    .select(['source_tokens.id as token_id', 'source_tokens.secret_sha256', 'sources.id as source_id'])
    .select(['sources.site_id', 'sources.connection_status', 'sites.root_domain', 'sites.retention_days'])
    .where('source_tokens.secret_sha256', '=', computed)
    .where('source_tokens.revoked_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined || !isSameHash(found.secret_sha256, computed)) return null
  uses.record(found.token_id, clock.now())
  const { secret_sha256: _hash, ...deliverer } = found
  return deliverer
}
