import Type from 'typebox'
import { instantText } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { connectZone } from '#intake/cloudflare/connect.ts'
import { Refusal } from '#refusal.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import { retireUpload } from '#sources/retire-upload.ts'
import { listSenders, retireSender, type SenderSummary } from '#sources/senders.ts'
import { addIntakeSource, disconnectSource, listSources, reconnectSource, setPrimary } from '#sources/sources.ts'
import { createToken, listTokens, revokeToken, type TokenSummary } from '#sources/tokens.ts'
import { command } from './command.ts'

/** Sources of evidence and the tokens that logs are delivered with; a site by id or domain, a source by id or name (rules 7). */
export const sourceCommands = {
  'source.connect': command({
    // Without a zone: the one of the site's root domain. The token comes through the socket, never on a command line.
    input: Type.Object({ site: Type.String(), zone: Type.Optional(Type.String()), token: Type.String() }),
    async run(ctx, { site: text, zone, token }) {
      const { control, clock, cloudflare } = ctx
      if (cloudflare === null) {
        throw new Refusal(
          'conflict',
          'nothing goes outside under a simulated clock (--clock): connect the zone without it',
        )
      }
      const site = await findAnySite(ctx, text)
      const named = zone === undefined ? {} : { named: zone }
      const connected = await connectZone({ control, clock, cloudflare }, { site, token, ...named })
      ctx.pollSoon()
      return { ...connected, root_domain: site.root_domain, read_from: instantText(connected.read_from) }
    },
  }),

  'source.add': command({
    input: Type.Object({ site: Type.String(), type: Type.Literal('https_intake'), name: Type.String() }),
    async run(ctx, { site: text, name }) {
      const site = await findAnySite(ctx, text)
      const { source, token } = await addIntakeSource(ctx, { site_id: site.id, name })
      return { ...sourceAnswer(source), root_domain: site.root_domain, token }
    },
  }),

  'source.list': command({
    input: Type.Object({ site: Type.String() }),
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      const sources = await listSources(ctx, site.id)
      return {
        sources: sources.map((source) => ({
          ...sourceAnswer(source),
          is_primary: source.is_primary === 1 && !source.has_ended,
          // Lines of an upload may lie ahead of the clock; how far it has reported does not.
          data_through:
            source.data_through === null ? null : instantText(Math.min(source.data_through, ctx.clock.now())),
          has_ended: source.has_ended,
          tokens: source.tokens,
          error_code: source.error_code,
          failed_hours: source.failed_hours.map(({ hour, attempts, error_code, next_try_at }) => ({
            ...{ hour: instantText(hour), attempts, error_code, next_try_at: instantText(next_try_at) },
          })),
        })),
      }
    },
  }),

  'source.token_create': command({
    input: Type.Object({ source: Type.String(), name: Type.String() }),
    async run(ctx, asked) {
      return createToken(ctx, asked)
    },
  }),

  'source.token_list': command({
    input: Type.Object({ source: Type.String() }),
    async run(ctx, { source }) {
      return { tokens: (await listTokens(ctx, source)).map(tokenAnswer) }
    },
  }),

  'source.token_revoke': command({
    input: Type.Object({ token: Type.String() }),
    async run(ctx, { token }) {
      return tokenAnswer(await revokeToken(ctx, token))
    },
  }),

  'source.primary': command({
    input: Type.Object({ source: Type.String(), is_primary: Type.Boolean() }),
    async run(ctx, asked) {
      return sourceAnswer(await setPrimary(ctx, asked))
    },
  }),

  'source.disconnect': command({
    input: Type.Object({ source: Type.String() }),
    async run(ctx, { source }) {
      return sourceAnswer(await disconnectSource(ctx, source))
    },
  }),

  'source.retire': command({
    input: Type.Object({ source: Type.String(), into: Type.Optional(Type.String()) }),
    async run(ctx, asked) {
      const crawlers = await ctx.crawlers()
      return sourceAnswer(await crawlers.intake.imports.run(() => retireUpload(ctx, asked)))
    },
  }),

  'source.sender_list': command({
    input: Type.Object({ source: Type.String() }),
    async run(ctx, { source }) {
      return { senders: (await listSenders(ctx, source)).map(senderAnswer) }
    },
  }),

  'source.sender_retire': command({
    input: Type.Object({ source: Type.String(), sender: Type.String() }),
    async run(ctx, asked) {
      return senderAnswer(await retireSender(ctx, asked))
    },
  }),

  'source.reconnect': command({
    input: Type.Object({ source: Type.String() }),
    async run(ctx, { source }) {
      return sourceAnswer(await reconnectSource(ctx, source))
    },
  }),
}

function sourceAnswer(source: SourceRow) {
  return {
    id: source.id,
    site_id: source.site_id,
    source_type: source.source_type,
    name: source.name,
    connection_status: source.connection_status,
    is_primary: source.is_primary === 1,
    created_at: instantText(source.created_at),
    connected_at: orNull(source.connected_at),
    data_through: orNull(source.data_through),
    moved_to: source.moved_to,
  }
}

function senderAnswer({ last_record_at, last_received_at, retired_at, expected_until, ...sender }: SenderSummary) {
  return {
    ...sender,
    last_record_at: instantText(last_record_at),
    last_received_at: instantText(last_received_at),
    retired_at: orNull(retired_at),
    expected_until: instantText(expected_until),
  }
}

function tokenAnswer({ created_at, last_used_at, revoked_at, ...token }: TokenSummary) {
  return {
    ...token,
    created_at: instantText(created_at),
    last_used_at: orNull(last_used_at),
    revoked_at: orNull(revoked_at),
  }
}

function orNull(at: number | null): string | null {
  return at === null ? null : instantText(at)
}
