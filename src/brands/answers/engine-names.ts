import type { Engine } from '#contract/vocabulary.ts'

/** The names of engines in exports of other tools. */
const NAMES: Readonly<Record<string, Engine>> = {
  chatgpt: 'chatgpt',
  'chatgpt-scraper': 'chatgpt',
  openai: 'chatgpt',
  claude: 'claude',
  anthropic: 'claude',
  gemini: 'gemini',
  google_gemini: 'gemini',
  'gemini-scraper': 'gemini',
  perplexity: 'perplexity',
  'perplexity-scraper': 'perplexity',
  sonar: 'perplexity',
  grok: 'grok',
  'grok-scraper': 'grok',
  xai: 'grok',
  copilot: 'copilot',
  'microsoft-copilot-scraper': 'copilot',
  google_ai_mode: 'google_ai_mode',
  'google-ai-mode': 'google_ai_mode',
  'google-ai-mode-scraper': 'google_ai_mode',
  google_ai_overview: 'google_ai_overview',
  google_ai_overviews: 'google_ai_overview',
  'google-ai-overview': 'google_ai_overview',
  'google-ai-overview-scraper': 'google_ai_overview',
}

/** The engine with this name in an export; null if it is unknown: then the record is refused. */
export function engineNamed(name: string): Engine | null {
  const plain = name.trim().toLowerCase()
  if (Object.hasOwn(NAMES, plain)) return NAMES[plain] as Engine
  return plain.startsWith('claude-') ? 'claude' : null
}
