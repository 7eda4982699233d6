/**
 * The visitors of histories, with what the vendors declare of them (read from the crawler facts that the specification
 * names, not from src/).
 */
import type { Purpose } from './events.ts'

export interface Declared {
  crawler_id: string
  platform: string
  display_name: string
  purpose: Purpose
  scope: 'ai' | 'agent' | 'search_engine' | 'data_provider'
  /** Null: declared in words that the service may choose, so they are not compared. */
  also_declared: string[] | null
}

const declared = (
  crawler_id: string,
  platform: string,
  display_name: string,
  purpose: Purpose,
  scope: Declared['scope'],
  also_declared: string[] | null = [],
): Declared => ({ crawler_id, platform, display_name, purpose, scope, also_declared })

/** `is`: what counts; null: kept unlabelled or dropped, in no answer. */
export const AGENTS = {
  gptbot: {
    is: declared('gptbot', 'OpenAI', 'GPTBot', 'training', 'ai'),
    user_agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.0; +https://openai.com/gptbot)',
  },
  searchbot: {
    is: declared('oai-searchbot', 'OpenAI', 'OAI-SearchBot', 'search', 'ai'),
    user_agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot',
  },
  chatgpt: {
    is: declared('chatgpt-user', 'OpenAI', 'ChatGPT-User', 'assistant', 'ai'),
    user_agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/2.0; +https://openai.com/bot',
  },
  bingbot: {
    is: declared('bingbot', 'Microsoft', 'Bingbot', 'search', 'search_engine', null),
    user_agent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) W.X.Y.Z Safari/537.36',
  },
  bytespider: {
    is: declared('bytespider', 'ByteDance', 'Bytespider', 'unknown', 'ai'),
    user_agent:
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
  },
  diffbot: {
    is: declared('diffbot', 'Diffbot', 'Diffbot', 'unknown', 'data_provider'),
    user_agent: 'Mozilla/5.0 (compatible; Diffbot/1.0; +https://diffbot.com)',
  },
  claude_code: {
    is: declared('claude-code', 'Anthropic', 'Claude Code', 'unknown', 'agent'),
    user_agent: 'Claude-User (claude-code/2.1.86; +https://support.anthropic.com/)',
  },
  /** Scope ads: the one that is registered and does not count (decisions 3.3). */
  adsbot: {
    is: null,
    user_agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; OAI-AdsBot/1.0; +https://openai.com/adsbot',
  },
  unheard: { is: null, user_agent: 'UnheardOfBot/1.0' },
  human: {
    is: null,
    user_agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  },
} as const satisfies Record<string, { is: Declared | null; user_agent: string }>

/** The one list of addresses that is in force on all days of all histories. */
export const LIST = { crawler_id: 'gptbot', network: '198.51.100.' }

export type AgentName = keyof typeof AGENTS
