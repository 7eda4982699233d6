/**
 * Assistants whose answers people click through. A list of its own, with its own version: google.com and bing.com are
 * never on it, because clicks from AI answers on search pages cannot be distinguished from search (decisions 5).
 */
import { hostTable } from './host-table.ts'

export const AI_PLATFORMS_VERSION = '2026-11-28.1'

/** By platform: hosts of its pages. Below a host counts too. */
const HOSTS: readonly (readonly [hosts: readonly string[], platform: string])[] = [
  [['chatgpt.com', 'chat.openai.com'], 'chatgpt'],
  [['perplexity.ai'], 'perplexity'],
  [['claude.ai'], 'claude'],
  [['gemini.google.com', 'bard.google.com'], 'gemini'],
  [['notebooklm.google.com'], 'notebooklm'],
  [['copilot.microsoft.com', 'copilot.cloud.microsoft', 'm365.cloud.microsoft', 'edgeservices.bing.com'], 'copilot'],
  // In `utm_source` of the links in its answers.
  [['copilot.com'], 'copilot'],
  [['grok.com'], 'grok'],
  [['meta.ai'], 'meta_ai'],
  [['you.com'], 'you'],
  [['phind.com'], 'phind'],
  [['chat.mistral.ai'], 'mistral'],
  [['chat.deepseek.com'], 'deepseek'],
  [['kimi.com'], 'kimi'],
  [['chat.qwen.ai'], 'qwen'],
  [['doubao.com'], 'doubao'],
  [['yiyan.baidu.com'], 'yiyan'],
  [['chatglm.cn'], 'chatglm'],
  [['duck.ai'], 'duck_ai'],
  [['poe.com'], 'poe'],
  [['iask.ai'], 'iask'],
  [['andisearch.com'], 'andi'],
  [['liner.com'], 'liner'],
  [['genspark.ai'], 'genspark'],
  [['felo.ai'], 'felo'],
  [['pi.ai'], 'pi'],
]

/** Names that taggers write into utm_source besides a host. */
const NAMES = new Map([
  ['chatgpt', 'chatgpt'],
  ['openai', 'chatgpt'],
  ['perplexity', 'perplexity'],
  ['claude', 'claude'],
  ['gemini', 'gemini'],
  ['copilot', 'copilot'],
  ['grok', 'grok'],
])

const platformOfHost = hostTable(HOSTS)

/** The platform whose page linked here; undefined for any other host. */
export const aiPlatformOfReferrer = (host: string): string | undefined => platformOfHost(host)

/** The platform that a link was tagged with: `utm_source` is its host or its name. Copied links carry it too. */
export const aiPlatformOfUtmSource = (utm_source: string): string | undefined => {
  const source = utm_source.trim().toLowerCase()
  return platformOfHost(source) ?? NAMES.get(source)
}
