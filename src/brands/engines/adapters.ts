import type { Engine } from '#contract/vocabulary.ts'
import type { EngineAdapter } from './adapter.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openai } from './openai.ts'
import { perplexity } from './perplexity.ts'
import { xai } from './xai.ts'

/** The engines that can be asked; answers of the others are imported. */
export const ADAPTERS: Partial<Record<Engine, EngineAdapter>> = {
  chatgpt: openai,
  claude: anthropic,
  gemini,
  perplexity,
  grok: xai,
}
