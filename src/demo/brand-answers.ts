/** What engines say about the demo's brand, the same for the same seed. Nothing is asked. */
import { createHash } from 'node:crypto'
import { answered, type EngineAnswer, failedAnswer, type RawCitation } from '#brands/engines/engine-answer.ts'
import type { ApiEngine } from '#contract/vocabulary.ts'
import { sequence } from './sequence.ts'

export const BRAND = { name: 'Exampla', aliases: ['Exampla Analytics'] }
export const COMPETITORS = [
  { name: 'Northwind', aliases: [], domains: ['northwind.example'] },
  { name: 'Zenith', aliases: [], domains: ['zenith.example'] },
]

/** How likely answers to a question name the brand. */
export const QUESTIONS: readonly { text: string; likelihood: number }[] = [
  { text: 'Which tools show how AI crawlers read a website?', likelihood: 0.7 },
  { text: 'What is the best way to measure visits from AI assistants?', likelihood: 0.5 },
  { text: 'Which analytics tool can I host myself?', likelihood: 0.35 },
  // Only competitors are named here.
  { text: 'Which tool compares prices of web analytics?', likelihood: 0 },
  { text: 'Which tool counts downloads of apps?', likelihood: 0 },
  { text: 'How do I find out whether crawlers can read my pages?', likelihood: 0.6 },
  { text: 'Which analytics tool works without cookies?', likelihood: 0.45 },
  { text: 'Is Exampla a good choice for a small shop?', likelihood: 1 },
]

/** Own pages that answers cite; crawlers meet trouble on two of them (stories.ts). */
const OWN_PAGES = ['pricing', 'docs', 'docs/api/v1']

/** Grok's key is refused all the time. */
export const DEMO_ENGINES: readonly ApiEngine[] = ['chatgpt', 'claude', 'perplexity', 'grok']

/** From this day before today on ChatGPT is another model, which names the brand less often. */
export const MODEL_CHANGE_DAYS = 10
const MODELS: Readonly<Record<string, string>> = { claude: 'claude-haiku-4-5-20251001', perplexity: 'perplexity/sonar' }

export interface DemoQuestion {
  engine: ApiEngine
  question: string
  /** Whole days before the last one. */
  days_ago: number
  /** The site of the brand. */
  domain: string
  seed: number
}

/** One answer. Each has draws of its own, so that the order in which engines are asked changes nothing. */
export function demoAnswer({ engine, question, days_ago, domain, seed }: DemoQuestion): EngineAnswer {
  const random = sequence(
    seed + createHash('sha256').update(`${engine} ${question} ${days_ago}`).digest().readInt32BE(0),
  )
  if (engine === 'grok') return failedAnswer('bad_key', 'Incorrect API key provided')
  const is_new_model = engine === 'chatgpt' && days_ago < MODEL_CHANGE_DAYS
  const found = QUESTIONS.find(({ text }) => text === question)
  const likelihood = found === undefined ? 0 : found.likelihood * (is_new_model ? 0.6 : 1)
  const [northwind, zenith] = COMPETITORS.map(({ name }) => name)
  const named = [
    ...(random() < likelihood ? [BRAND.name] : []),
    ...(random() < 0.8 ? [northwind] : []),
    ...(random() < 0.5 ? [zenith] : []),
  ].sort(() => random() - 0.5)
  const text =
    named.length === 0
      ? 'Several tools do this; it depends on what you want to measure.'
      : `Tools that are often recommended: ${named.join(', ')}. ${named[0]} is a common first choice.`
  return answered({
    text,
    cited: citationsOf(named, domain, random),
    retrieved: [],
    cost: null,
    web_search: 'used',
    search_queries: [question.toLowerCase()],
    model: modelOf(engine, is_new_model),
    usage: { input_tokens: 9_000 + Math.round(4_000 * random()), output_tokens: 220, searches: 2 },
  })
}

function citationsOf(named: readonly (string | undefined)[], domain: string, random: () => number): RawCitation[] {
  const pages: RawCitation[] = [{ url: 'https://reviews.example/web-analytics', title: 'Web analytics compared' }]
  if (named.includes(BRAND.name) && random() < 0.7) {
    const page = OWN_PAGES[Math.floor(random() * OWN_PAGES.length)]
    pages.push({ url: `https://${domain}/${page}`, title: BRAND.name })
  }
  if (named.includes('Northwind')) pages.push({ url: 'https://northwind.example/compare', title: 'Northwind' })
  return pages
}

function modelOf(engine: ApiEngine, is_new: boolean): string {
  if (engine !== 'chatgpt') return String(MODELS[engine])
  return is_new ? 'gpt-5-mini-2026-11-04' : 'gpt-5-mini-2025-08-07'
}
