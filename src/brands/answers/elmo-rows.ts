/**
 * Rows of elmo, which exports no answers: its tables are imported. `model` names the engine, `provider` the service
 * through which elmo asked it, and `raw_output` holds what that service sent (account API 3, imports).
 */

import { memberAt, objectsAt, textAt } from '#json-members.ts'
import { readContent } from '../engines/anthropic.ts'
import { readResponseText } from '../engines/responses-api.ts'
import { engineNamed } from './engine-names.ts'

/** The name of the engine; rows of older versions name it as the provider. */
export function engineOfElmo(row: unknown): string | null {
  const names = [textAt(row, 'model'), textAt(row, 'provider')].filter((name) => name !== null)
  return names.find((name) => engineNamed(name) !== null) ?? names[0] ?? null
}

const APIS: ReadonlySet<string> = new Set(['openai-api', 'anthropic-api', 'mistral-api', 'openrouter', 'direct'])
/** Services that read the pages which people see. */
const SCRAPERS: ReadonlySet<string> = new Set(['olostep', 'brightdata', 'oxylabs', 'cloro', 'searchapi'])

/** Null where the provider alone does not say it. */
export function surfaceOfElmo(row: unknown): 'api' | 'consumer_ui' | null {
  const provider = textAt(row, 'provider') ?? ''
  if (APIS.has(provider)) return 'api'
  return SCRAPERS.has(provider) ? 'consumer_ui' : null
}

/**
 * The text of the answer, or null without output. Output of an unknown form is returned unchanged: the record is
 * then refused, and not counted as a failure of the engine.
 */
export function textOfElmo(row: unknown): unknown {
  const output = memberAt(row, 'raw_output')
  if (typeof output !== 'object' || output === null) return output === '' ? null : (output ?? null)
  if (Object.keys(output).length === 0) return null
  const texts = [
    readResponseText(output).text,
    readContent(objectsAt(output, 'content')).text,
    overviewIn(output),
    ...MEMBERS.map((path) => textAtPath(output, path.split('.'))),
  ]
  return texts.find((text) => text.trim() !== '') ?? output
}

/** Where services put the text; of a list, the first item counts. */
const MEMBERS = [
  'choices.message.content', // OpenRouter
  'result.markdown_content',
  'answer_markdown',
  'result.text_content', // Olostep
  'answer_text_markdown',
  'answer_text',
  'answer',
  'response_raw',
  'response',
  'text',
  'content', // Bright Data
  'results.content.markdown_text',
  'results.content.answer_results_md',
  'results.content.response_text', // Oxylabs
]

function textAtPath(output: unknown, path: readonly string[]): string {
  const found = path.reduce((inner: unknown, key) => memberAt(firstOf(inner), key), output)
  return typeof found === 'string' ? found : ''
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** The AI overview among the results of a search page, as DataForSEO sends them. */
function overviewIn(output: unknown): string {
  const [task] = objectsAt(output, 'tasks')
  const [result] = objectsAt(task, 'result')
  const overview = objectsAt(result, 'items').find(({ type }) => type === 'ai_overview')
  return textAt(overview, 'markdown') ?? ''
}
