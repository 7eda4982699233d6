/** The channel of a session, and the assistant that it came from (rules 6, Channels; decisions 5). */
import { isBelow, type Origin } from './pages-and-origins.ts'
import type { Rules } from './rules.ts'

/**
 * The assistants, search engines and networks that histories name: the specification leaves the whole lists to the
 * service.
 */
const ASSISTANTS: readonly (readonly [platform: string, hosts: readonly string[]])[] = [
  ['chatgpt', ['chatgpt.com']],
  ['perplexity', ['perplexity.ai']],
  ['gemini', ['gemini.google.com']],
  ['claude', ['claude.ai']],
  ['copilot', ['copilot.microsoft.com']],
]
const SEARCH = ['www.google.com', 'duckduckgo.com', 'bing.com', 'yandex.ru']
const SOCIAL = ['facebook.com', 't.co']

const assistantOf = (host: string | undefined | null): string | null =>
  host ? (ASSISTANTS.find(([, hosts]) => isBelow(host.toLowerCase(), hosts))?.[0] ?? null) : null

/** Null: a session without a pageview. */
export function channelOf(origin: Origin | null, rules: Rules): string {
  if (origin === null) return 'unknown'
  const { referrer, utm } = origin
  const medium = utm.medium?.toLowerCase() ?? ''
  if (origin.has_paid_click || ['cpc', 'ppc'].includes(medium) || medium.startsWith('paid')) return 'paid_search'
  if (medium === 'email') return 'email'
  const other = referrer === 'own' ? null : referrer
  if (assistantOf(other) !== null || assistantOf(utm.source) !== null) return 'ai_assistant'
  if (other !== null) return isBelow(other, SEARCH) ? 'organic_search' : isBelow(other, SOCIAL) ? 'social' : 'referral'
  if (referrer === 'own') return rules.own_referrer
  // The link is tagged, without a word about the kind of channel (ADR 21).
  return Object.keys(utm).length > 0 ? 'unknown' : 'direct'
}

export interface AiReferral {
  platform: string
  evidence: 'referrer' | 'utm' | 'both'
}

export function aiReferralOf(origin: Origin | null): AiReferral | null {
  if (origin === null) return null
  const linked = assistantOf(origin.referrer)
  const tagged = assistantOf(origin.utm.source)
  const platform = linked ?? tagged
  if (platform === null) return null
  return { platform, evidence: linked === tagged ? 'both' : linked === null ? 'utm' : 'referrer' }
}
