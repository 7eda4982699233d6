import type { Issue } from '../../src/contract/site-api/index.ts'
import type { Harm, LifeChange, LifeState } from '../../src/contract/vocabulary.ts'

export const ISSUE_STATE_WORDS: Record<LifeState, string> = {
  open: 'Open',
  regressed: 'Came back',
  fix_detected: 'Fix detected, not confirmed',
  withdrawn: 'Withdrawn',
  lapsed: 'Lapsed',
  closed: 'Closed',
}

export const ISSUE_STATE_TONES: Record<LifeState, 'bad' | 'warn' | 'ok' | 'plain'> = {
  open: 'bad',
  regressed: 'bad',
  fix_detected: 'warn',
  withdrawn: 'plain',
  lapsed: 'plain',
  closed: 'plain',
}

export const FIX_CONFIRMED = 'Fix confirmed'

export const CAUSE_WORDS: Record<Issue['cause'], string> = {
  robots_rule: 'robots.txt rule',
  http_status: 'HTTP status',
  waf_or_challenge: 'WAF or challenge',
  redirect_chain: 'Redirects',
  dns: 'DNS',
  tls: 'TLS',
  origin_error: 'Origin error',
  unknown: 'Cause unknown',
}

export const CONFIDENCE_WORDS: Record<Issue['confidence'], string> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
}

export const HARM_WORDS: Record<Harm, string> = {
  server_error: 'server errors',
  rate_limited: 'rate limits',
  refused: 'refusals',
  gone: 'pages that are gone',
  redirects: 'redirects',
  challenged: 'challenges',
  robots: 'robots.txt rules',
  unreachable: 'no answer',
}

/** The changes of an issue, with what they prove and what they do not (rules 8.2). */
export const CHANGE_WORDS: Record<LifeChange, { title: string; words: string }> = {
  opened: { title: 'Opened', words: 'Requests met the condition for this kind of harm.' },
  fix_detected: { title: 'Fix detected', words: 'An inspection by this service found no harm.' },
  fix_confirmed: { title: FIX_CONFIRMED, words: 'Crawlers themselves were served afterwards.' },
  regressed: { title: 'Came back', words: 'Later requests met the condition again.' },
  withdrawn: {
    title: 'Withdrawn',
    words: 'Its condition is no longer met, or the harm is intended. This does not mean that it was fixed.',
  },
  lapsed: { title: 'Lapsed', words: '90 days passed without a harmful request. This does not mean that it was fixed.' },
  closed: { title: 'Closed', words: '30 days passed since the fix was confirmed.' },
}
