/** Words of surface B: engines, answers, comparisons, fixes. A value without words here is shown as it is. */
import type { FixList } from '../../src/contract/account-api/index.ts'
import type {
  AnswerState,
  CITATION_SOURCES,
  Engine,
  FIX_KINDS,
  FIX_STATUSES,
  FIX_VERIFICATIONS,
  QUESTION_KINDS,
  SEARCH_SOURCES,
  Sentiment,
} from '../../src/contract/vocabulary.ts'

type One<List extends readonly string[]> = List[number]

export const ENGINE_WORDS: Record<Engine, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  perplexity: 'Perplexity',
  grok: 'Grok',
  copilot: 'Copilot',
  google_ai_mode: 'Google AI Mode',
  google_ai_overview: 'Google AI Overview',
}
/** Also for names of engines that come as plain text. */
export const engineName = (engine: string): string => ENGINE_WORDS[engine as Engine] ?? engine

/** The provider of an engine. */
const PROVIDER_WORDS: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  perplexity: 'Perplexity',
  xai: 'xAI',
}
export const providerName = (provider: string): string => PROVIDER_WORDS[provider] ?? provider

export const ANSWER_STATE_WORDS: Record<AnswerState, string> = {
  answered: 'Answered',
  refused: 'Refused',
  failed: 'Failed',
}

export const SURFACE_WORDS: Record<'consumer_ui' | 'api' | 'import', string> = {
  consumer_ui: 'app',
  api: 'api',
  import: 'import',
}

export const SENTIMENT_WORDS: Record<Sentiment, string> = {
  positive: 'positive',
  neutral: 'neutral',
  negative: 'negative',
  mixed: 'mixed',
  unknown: 'not classified',
}

export const WEB_SEARCH_WORDS: Record<'used' | 'not_used' | 'unknown', string> = {
  used: 'The engine searched the web',
  not_used: 'The engine answered without a search',
  unknown: 'Whether the engine searched the web is unknown',
}

export const QUESTION_KIND_WORDS: Record<One<typeof QUESTION_KINDS>, string> = {
  branded: 'Branded',
  unbranded: 'Unbranded',
}

export const CITATION_SOURCE_WORDS: Record<One<typeof CITATION_SOURCES>, string> = {
  own: 'Own',
  competitor: 'Competitor',
  other: 'Other',
}

export const SEARCH_SOURCE_WORDS: Record<One<typeof SEARCH_SOURCES>, string> = { google: 'Google', bing: 'Bing' }

export const FIX_KIND_WORDS: Record<One<typeof FIX_KINDS>, string> = {
  access: 'Access',
  content: 'Content',
  citation: 'Citation',
}

export const FIX_STATUS_WORDS: Record<One<typeof FIX_STATUSES>, string> = {
  open: 'Open',
  accepted: 'Accepted',
  completed: 'Completed',
  dismissed: 'Dismissed',
}

export const VERIFICATION_WORDS: Record<One<typeof FIX_VERIFICATIONS>, string> = {
  not_started: 'Not judged yet',
  awaiting_evidence: 'Waiting for evidence',
  improved: 'Improved',
  worsened: 'Worsened',
  within_noise: 'Within noise',
  not_comparable: 'Not comparable',
}

type Reason = NonNullable<FixList['fixes'][number]['verification']['reason']>

/** Why two windows are not compared. */
export const REASON_WORDS: Record<Reason, string> = {
  few_questions: 'fewer than 5 questions',
  few_answers: 'fewer than 20 answers',
  different_questions: 'different questions',
  model_changed: 'model changed',
  surface_changed: 'surface changed',
  mix_changed: 'the mix of engines, countries or questions changed',
  issue_ended: 'the issue ended in another way',
}

/** Why a run was refused or failed, by the code of the answer. */
const FAILURE_WORDS: Readonly<Record<string, string>> = {
  refused: 'the engine refused to answer',
  empty: 'the answer was empty',
  not_offered: 'the engine does not offer this',
  bad_key: 'the key was not accepted',
  no_credit: 'the account at the provider has no credit',
  bad_request: 'the provider did not accept the request',
  rate_limited: 'the provider limited the rate',
  model_unknown: 'the provider does not know the model',
  overloaded: 'the provider was overloaded',
  timeout: 'no answer within two minutes',
  incomplete: 'the answer was incomplete',
  unreadable: 'the answer could not be read',
  interrupted: 'the run was interrupted',
  budget_used: 'the monthly budget is used up',
}
export const failureWords = (code: string): string => FAILURE_WORDS[code] ?? code

/** "Germany"; `none` and null: a question without a country. */
export function countryName(country: string | null): string {
  if (country === null || country === 'none') return 'No country'
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(country) ?? country
}

/** Millionths of a US dollar or another currency: "$0.0123"; only zero is "$0.00". */
export function costText(micros: number, currency = 'USD'): string {
  const amount = micros / 1_000_000
  const minimumFractionDigits = decimalsOf(amount)
  return new Intl.NumberFormat('en', { style: 'currency', currency, minimumFractionDigits }).format(amount)
}

/** Enough decimals that a small amount does not look like zero. */
function decimalsOf(amount: number): number {
  if (amount === 0 || amount >= 0.1) return 2
  return amount >= 0.0001 ? 4 : 6
}

/** "+0.31" of a sentiment from -1 to 1. */
export function sentimentText(value: number): string {
  const size = Math.abs(value).toFixed(2)
  if (value === 0) return size
  return value > 0 ? `+${size}` : `−${size}`
}

/** "2.4" */
export const positionText = (value: number): string => value.toFixed(1)
