/** The words for tracker evidence (rules 6). A code without words here is shown as it is. */
import type {
  Channel,
  CONVERSION_EVIDENCE_STATES,
  Freshness,
  FUNNEL_EVIDENCE_STATES,
  MEASUREMENT_STATES,
  OPERATIONAL_STATES,
  QUALITIES,
} from '../../src/contract/vocabulary.ts'
import type { ValueQuality } from '../evidence/value.tsx'

type MeasurementState = (typeof MEASUREMENT_STATES)[number]
type OperationalState = (typeof OPERATIONAL_STATES)[number]
type Quality = (typeof QUALITIES)[number]
type FunnelState = (typeof FUNNEL_EVIDENCE_STATES)[number]
type ConversionState = (typeof CONVERSION_EVIDENCE_STATES)[number]

export const MEASUREMENT_WORDS: Record<MeasurementState, string> = {
  uninstalled: 'Not installed',
  awaiting_first_evidence: 'Waiting for the first event',
  measured: 'Tracker evidence',
  unavailable: 'Evidence cannot be read now',
}

export const OPERATIONAL_WORDS: Record<OperationalState, string> = {
  not_set_up: 'Tracker not set up',
  connecting: 'Tracker waiting for the first event',
  live: 'Tracker live',
  needs_attention: 'Tracker needs attention',
  disabled: 'Tracker switched off',
}

export const FRESHNESS_WORDS: Record<Freshness, string> = {
  current: 'current',
  stale: 'behind',
  unavailable: 'not available',
}

const REASON_SENTENCES: Readonly<Record<string, string>> = {
  no_event_yet: 'Waiting for the first event. Open a page of your site and it appears here.',
  no_signal: 'No event arrived for 24 hours, and the snippet was not found on the home page.',
  events_refused: 'At least half of the events of the last hour were refused. “npx spoor doctor” names the reason.',
  origin_mismatch: 'Pages of another origin send events with this site’s key. They are refused.',
  proxy_hides_addresses:
    'All events come from one address: a proxy in front of Spoor hides the others. Set SPOOR_TRUSTED_PROXIES.',
  disabled_by_owner: 'An owner switched the tracker off. Nothing is collected until it is switched on again.',
}

const STATE_SENTENCES: Record<OperationalState, string> = {
  not_set_up: 'The tracker was never switched on. Nothing is collected.',
  connecting: 'Waiting for the first event. Open a page of your site and it appears here.',
  live: 'Events arrive and are stored.',
  needs_attention: 'Collection needs attention.',
  disabled: 'The tracker is switched off. Nothing is collected.',
}

/** One sentence: the reason where there is one, else the state. */
export function operationSentence({
  state,
  reason_code,
}: {
  state: OperationalState
  reason_code: string | null
}): string {
  if (reason_code === null) return STATE_SENTENCES[state]
  return REASON_SENTENCES[reason_code] ?? `${STATE_SENTENCES[state]} Reason: ${reason_code}.`
}

const LIMITATION_SENTENCES: Readonly<Record<string, string>> = {
  not_installed: 'The tracker was not installed.',
  before_first_event: 'Before the first event.',
  evidence_begins: 'Evidence begins on this day.',
  no_signal: 'No event from a browser arrived, and the snippet was not found on the home page.',
  loads_without_events: 'Pages loaded the tracker, but no event arrived: there were visitors, but no count is known.',
  collection_interrupted: 'Collection was interrupted.',
  visitors_opted_out: 'All visitors of the day opted out of being counted.',
  events_refused: 'Events of your own pages were refused and are missing.',
  not_yet_readable: 'Accepted events still wait to be stored.',
  disabled: 'The tracker was switched off.',
  retention: 'The site keeps no evidence this old.',
  observed_browsers_only: 'Only browsers that run the tracker are seen; people who block it are not.',
  opted_out_visitors_not_counted: 'Visitors who ask not to be counted are left out.',
  development_included: 'Events from development origins are included.',
  property_declared_later: 'A property was declared only after the first of these days.',
  tied_events: 'Events that arrived together have no certain order.',
  rare_origins_not_labelled: 'Rare origins of visits are not labelled.',
  older_channels_less_exact: 'Channels of older days are less exact.',
  evidence_unreadable: 'The evidence could not be read.',
}

export const limitationSentence = (code: string): string => LIMITATION_SENTENCES[code] ?? code

/** Limitations of days with observations but unknown counts; they are drawn like days without evidence. */
export const UNCOUNTED_LIMITATIONS: ReadonlySet<string> = new Set(['loads_without_events', 'visitors_opted_out'])

export const QUALITY_WORDS: Record<Quality, string> = {
  exact: 'exact',
  observed_lower_bound: 'at least',
  unknown: 'unknown',
  suppressed: 'withheld',
}

/** How a count of that quality is written. */
export const VALUE_QUALITIES: Record<Quality, ValueQuality> = {
  exact: 'exact',
  observed_lower_bound: 'at_least',
  unknown: 'exact',
  suppressed: 'withheld',
}

export const FUNNEL_STATE_WORDS: Record<FunnelState, string> = {
  not_effective: 'Not in force in this window',
  unknown: 'Unknown',
  measured: 'Tracker evidence',
  partial: 'Lower bound',
  suppressed: 'Withheld',
}

export const CONVERSION_STATE_WORDS: Record<ConversionState, string> = {
  unknown: 'unknown',
  measured: 'tracker evidence',
  partial: 'partial evidence',
}

const PLATFORM_WORDS: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  perplexity: 'Perplexity',
  claude: 'Claude',
  gemini: 'Gemini',
  notebooklm: 'NotebookLM',
  copilot: 'Copilot',
  grok: 'Grok',
  meta_ai: 'Meta AI',
  you: 'You.com',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  duck_ai: 'Duck.ai',
}

/** The name of an assistant; one without words here is shown as it is. */
export const platformWords = (platform: string): string => PLATFORM_WORDS[platform] ?? platform

export const CHANNEL_WORDS: Record<Channel, string> = {
  ai_assistant: 'AI assistant',
  organic_search: 'Organic search',
  paid_search: 'Paid search',
  social: 'Social',
  email: 'E-mail',
  referral: 'Other sites',
  direct: 'Direct',
  unknown: 'Not known',
}

/** Assistants keep their colour; every other channel is a single series. */
export const channelColor = (channel: string): string =>
  channel === 'ai_assistant' ? 'var(--color-assistant)' : 'var(--color-series)'
