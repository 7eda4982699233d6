/** What an answer about crawlers says about its own evidence (spec 2.2 to 2.4). Read it before any count. */
import Type from 'typebox'
import { Count, Day, DaySpan, Instant, oneOf, orNull, Share, Uuid } from './fields.ts'
import * as vocabulary from './vocabulary.ts'

export const Gap = Type.Object(
  { from: Day, to: Day },
  { title: 'Gap', description: 'Inclusive day range without primary-source coverage: unknown, not zero traffic.' },
)
export type Gap = Type.Static<typeof Gap>

/** spec 2.3 */
export const Source = Type.Object(
  {
    id: Uuid,
    source_type: oneOf(vocabulary.SOURCE_TYPES),
    connection_status: oneOf(vocabulary.CONNECTION_STATUSES),
    is_primary: Type.Boolean({
      description: 'Counting selection while the reader gate is off; with it on, meta.authority is the counting truth.',
    }),
    connected_at: orNull(Instant),
    data_through: orNull(Instant),
    evidence_from: orNull(Day),
    backfill: orNull(DaySpan),
    hostname_coverage: Type.Object({
      proxied: Type.Optional(Type.Array(Type.String())),
      unproxied: Type.Optional(Type.Array(Type.String())),
      checked_at: Type.Optional(Instant),
    }),
    completeness: orNull(oneOf(vocabulary.COMPLETENESSES)),
    sampling: orNull(Share),
    http_status_fidelity: orNull(oneOf(vocabulary.FIDELITIES)),
    coverage_limitations: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Additive: why days of the last 30 are not complete, for example sampled, backfill, unreadable_lines, hours_failing (hours of a zone that could not be read), or sender_silent:NAME for an expected sender that was not heard of.',
      }),
    ),
  },
  { title: 'Source' },
)
export type Source = Type.Static<typeof Source>

const metric = Type.Literal('observed_request_count')

/** One assignment interval of one host, clipped to the window (spec 2.4, rules 5). */
export const AuthorityHost = Type.Object(
  {
    hostname: Type.String(),
    metric,
    authority_state: oneOf(vocabulary.AUTHORITY_STATES),
    contract_revision_id: orNull(Uuid),
    source_connection_id: orNull(Uuid),
    provider: orNull(Type.String()),
    adapter: orNull(Type.String()),
    interval_start: Instant,
    interval_end: Instant,
    effective_boundary: orNull(Instant),
    available_from: orNull(Instant),
    evidence_state: oneOf(vocabulary.EVIDENCE_STATES),
    sampling: orNull(Share),
    path_fidelity: orNull(oneOf(vocabulary.FIDELITIES)),
    status_fidelity: orNull(oneOf(vocabulary.FIDELITIES)),
    limitation: orNull(Type.String()),
    coverage_limitations: Type.Array(Type.String()),
    disconnect: orNull(Type.Object({ interruption_id: Uuid, disconnected_at: Instant, effective_at: Instant })),
  },
  { title: 'AuthorityHost' },
)
export type AuthorityHost = Type.Static<typeof AuthorityHost>

/** Exact overlap of a counting source and another; never part of a total (spec 2.4). */
export const ShadowDiagnostic = Type.Object(
  {
    hostname: Type.String(),
    metric,
    day: Day,
    authority_contract_revision_id: orNull(Uuid),
    shadow_contract_revision_id: Uuid,
    authority_provider: orNull(Type.String()),
    shadow_provider: Type.String(),
    interval_start: Instant,
    interval_end: Instant,
    authority_coverage_state: oneOf(vocabulary.EVIDENCE_STATES),
    shadow_coverage_state: oneOf(vocabulary.EVIDENCE_STATES),
    eligible: Type.Boolean(),
    comparable: Type.Boolean({ description: 'When false, a reason is named and delta is null.' }),
    exact_equal: orNull(Type.Boolean()),
    reason: orNull(Type.String()),
    authority_count: orNull(Count),
    shadow_count: orNull(Count),
    delta: orNull(Type.Integer()),
  },
  { title: 'ShadowDiagnostic' },
)
export type ShadowDiagnostic = Type.Static<typeof ShadowDiagnostic>

export const CrawlerAuthority = Type.Object(
  {
    metric,
    evidence_state: oneOf(vocabulary.EVIDENCE_STATES),
    available_from: orNull(Instant),
    hosts: Type.Array(AuthorityHost),
    shadow_diagnostics: Type.Array(ShadowDiagnostic),
    shadow_diagnostics_truncated: Type.Optional(
      Type.Literal(true, { description: 'Present when there are more shadows than are listed; the newest days are.' }),
    ),
  },
  { title: 'CrawlerAuthority', description: 'Present only while the v2 reader gate is on.' },
)
export type CrawlerAuthority = Type.Static<typeof CrawlerAuthority>

/** spec 2.2 */
export const Meta = Type.Object(
  {
    as_of: Instant,
    window: Type.Object({ from: Day, to: Day, timezone: Type.Literal('UTC') }),
    coverage_state: oneOf(vocabulary.COVERAGE_STATES, 'The truth signal. Under unknown every count is null.'),
    purpose_filter: Type.Array(oneOf(vocabulary.PURPOSES), {
      description: 'The effective filter, in the order search, assistant, training, unknown.',
    }),
    registry_version: orNull(Type.String()),
    sources: Type.Array(Source),
    data_through: orNull(Instant),
    gaps: Type.Array(Gap),
    authority: Type.Optional(CrawlerAuthority),
  },
  { title: 'Meta' },
)
export type Meta = Type.Static<typeof Meta>
