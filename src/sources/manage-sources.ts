/** Sources of evidence, their tokens and senders, as operations. */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { SourceRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { Refusal } from '#refusal.ts'
import { setPrimary, setVantage } from './change-source.ts'
import { disconnectSource, reconnectSource } from './disconnect-source.ts'
import { listSenders, retireSender, type SenderSummary } from './senders.ts'
import { addIntakeSource, type ListedSource, listSources } from './sources.ts'
import { createToken, listTokens, revokeToken, type TokenSummary } from './tokens.ts'

export const manageSources: Implementations<
  ManagementOperationOf<
    | 'source.add'
    | 'source.list'
    | 'source.token_create'
    | 'source.token_list'
    | 'source.token_revoke'
    | 'source.primary'
    | 'source.vantage'
    | 'source.disconnect'
    | 'source.reconnect'
    | 'source.sender_list'
    | 'source.sender_retire'
  >,
  ControlContext
> = {
  async 'source.add'(ctx, { name }) {
    const { source, token } = await addIntakeSource(ctx, { site_id: ctx.site.id, name })
    return { ...describeSourceRow(source), root_domain: ctx.site.root_domain, token }
  },

  async 'source.list'(ctx) {
    const sources = await listSources(ctx, ctx.site.id)
    return {
      sources: sources.map((source) => ({
        ...describeListed(source),
        has_ended: source.has_ended,
        tokens: source.tokens,
        error_code: source.error_code,
        failed_hours: source.failed_hours.map(({ hour, attempts, error_code, next_try_at }) => ({
          hour: instantText(hour),
          attempts,
          error_code,
          next_try_at: instantText(next_try_at),
        })),
      })),
    }
  },

  'source.token_create': (ctx, input) => createToken(ctx, input),

  async 'source.token_list'(ctx, { source }) {
    return { tokens: (await listTokens(ctx, source)).map(describeToken) }
  },

  async 'source.token_revoke'(ctx, { token }) {
    return describeToken(await revokeToken(ctx, token))
  },

  async 'source.primary'(ctx, input) {
    return describeChanged(ctx, await setPrimary(ctx, input))
  },

  async 'source.vantage'(ctx, input) {
    return describeChanged(ctx, await setVantage(ctx, input))
  },

  async 'source.disconnect'(ctx, { source }) {
    return describeChanged(ctx, await disconnectSource(ctx, source))
  },

  async 'source.reconnect'(ctx, { source }) {
    return describeChanged(ctx, await reconnectSource(ctx, source))
  },

  async 'source.sender_list'(ctx, { source }) {
    return { senders: (await listSenders(ctx, source)).map(describeSender) }
  },

  async 'source.sender_retire'(ctx, input) {
    return describeSender(await retireSender(ctx, input))
  },
}

/** A changed source, described as in the list of sources. */
export async function describeChanged(ctx: ControlContext, { id, site_id }: SourceRow) {
  const source = (await listSources(ctx, site_id)).find((listed) => listed.id === id)
  if (source === undefined) throw new Refusal('not_found', `The source ${id} has been removed with its site.`)
  return describeListed(source)
}

/** Whether a source counts now, and how far its evidence reaches, which its row alone does not show. */
function describeListed(source: ListedSource) {
  return {
    ...describeSourceRow(source),
    is_primary: source.is_primary === 1 && !source.has_ended,
    data_through: instantOrNull(source.reported_through),
  }
}

function describeSourceRow(source: SourceRow) {
  return {
    id: source.id,
    site_id: source.site_id,
    source_type: source.source_type,
    name: source.name,
    connection_status: source.connection_status,
    is_primary: source.is_primary === 1,
    created_at: instantText(source.created_at),
    connected_at: instantOrNull(source.connected_at),
    data_through: instantOrNull(source.data_through),
    moved_to: source.moved_to,
    vantage: source.vantage,
  }
}

function describeSender({ last_record_at, last_received_at, retired_at, expected_until, ...sender }: SenderSummary) {
  return {
    ...sender,
    last_record_at: instantText(last_record_at),
    last_received_at: instantText(last_received_at),
    retired_at: instantOrNull(retired_at),
    expected_until: instantText(expected_until),
  }
}

function describeToken({ created_at, last_used_at, revoked_at, ...token }: TokenSummary) {
  return {
    ...token,
    created_at: instantText(created_at),
    last_used_at: instantOrNull(last_used_at),
    revoked_at: instantOrNull(revoked_at),
  }
}
