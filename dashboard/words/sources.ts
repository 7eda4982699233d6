import type {
  Completeness,
  ConnectionStatus,
  CoverageState,
  Fidelity,
  SourceType,
  Vantage,
} from '../../src/contract/vocabulary.ts'

export const SOURCE_TYPE_WORDS: Record<SourceType, string> = {
  cloudflare_zone: 'Cloudflare zone',
  https_intake: 'Log intake',
  log_upload: 'Uploaded logs',
}

export const CONNECTION_WORDS: Record<ConnectionStatus, string> = {
  pending: 'Waiting for the first record',
  live: 'Live',
  error: 'Failing',
  revoked: 'Revoked',
  disconnected: 'Disconnected',
}

export const CONNECTION_TONES: Record<ConnectionStatus, 'ok' | 'warn' | 'bad' | 'plain'> = {
  pending: 'warn',
  live: 'ok',
  error: 'bad',
  revoked: 'bad',
  disconnected: 'plain',
}

export const COVERAGE_STATE_WORDS: Record<CoverageState, string> = {
  complete: 'Complete evidence',
  partial: 'Partial evidence',
  unknown: 'Unknown',
}

export const COMPLETENESS_WORDS: Record<Completeness, string> = {
  complete: 'complete',
  partial: 'in part',
  unknown: 'unknown',
}

export const FIDELITY_WORDS: Record<Fidelity, string> = {
  exact: 'exact',
  grouped: 'classes only',
  unavailable: 'not reported',
}

export const VANTAGE_WORDS: Record<Vantage, string> = {
  edge: 'What the edge answered',
  origin: 'What the origin answered',
}

type Counting = 'always' | 'its_days' | 'never'

/** Whether a source counts; an upload that has ended still does on its days. */
export function countingOf({ is_primary, has_ended }: { is_primary: boolean; has_ended: boolean }): Counting {
  if (is_primary) return 'always'
  return has_ended ? 'its_days' : 'never'
}

export const COUNTING_WORDS: Record<Counting, { cell: string; fact: string; change: string }> = {
  always: { cell: 'yes', fact: 'Yes', change: 'Stop counting this source' },
  its_days: {
    cell: 'its days',
    fact: 'On its days. No further logs are expected from it.',
    change: 'Stop counting its days',
  },
  never: { cell: 'no', fact: 'No: it is stored and compared, and is in no total.', change: 'Count this source' },
}

const ZONE_FAULT_WORDS: Readonly<Record<string, string>> = {
  unreachable: 'Cloudflare could not be reached. Check the network of the service.',
  rate_limited: 'Cloudflare asks to wait, because other programs use the same account too.',
  provider_error: 'Cloudflare failed. It is asked again.',
  bad_answer: 'Cloudflare sent an answer that it does not document. It is asked again.',
  not_permitted: 'The token lacks a permission, or its address filter excludes the service. Correct it at Cloudflare.',
  token_rejected: 'The token is unknown, disabled or expired. Enter a new one.',
  zone_missing: 'The token no longer sees the zone. Include the zone in its resources at Cloudflare.',
  too_much: 'Even a single minute has too many rows for one answer. Use Logpush for this zone.',
  too_old: 'Cloudflare no longer answers for that time. It stays a gap.',
  field_refused: 'The plan of the zone does not give user agents or sampling. Use Logpush for this zone.',
  query_refused: 'Cloudflare refused the query. Report it.',
  token_unreadable:
    'The token was encrypted with another key. Restore the key of the service, or enter the token again.',
}

/** Why a zone could not be read, and what to do; empty for a code without words here. */
export const zoneFaultWords = (code: string): string => ZONE_FAULT_WORDS[code] ?? ''

const LIMITATION_WORDS: Readonly<Record<string, string>> = {
  sampled: 'Sampled: the source reports only a share of the requests.',
  backfill: 'Some days are the provider’s history.',
  capped: 'Capped at the page limit of the provider.',
  filtered: 'Filtered before it was delivered.',
  stale: 'The source is behind.',
  unreadable_lines: 'Some lines could not be read.',
  hours_failing: 'Hours of the zone could not be read; each is tried again.',
}

/** Why days of a source are not complete; a code without words here is shown as it is. */
export function sourceLimitationWords(limitation: string): string {
  const [kind, name] = limitation.split(/:(.*)/)
  if (kind === 'sender_silent') return `The sender ${name} is expected but was silent.`
  return LIMITATION_WORDS[limitation] ?? limitation
}

/** "all requests", "1 in 10"; null says that it was never sampled (rules 3). */
export const samplingWords = (sampling: number | null): string =>
  sampling === null || sampling >= 1 ? 'all requests' : `1 in ${Math.round(1 / sampling)}`
