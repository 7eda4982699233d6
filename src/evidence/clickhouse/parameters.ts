/** How values of a statement are sent to a server: short ones as query parameters, long ones within the text. */
import { EvidenceError } from '../errors.ts'
import { type Fragment, render } from '../fragment.ts'
import { type Parameter, sqlString } from '../parameters.ts'

export interface RequestText {
  text: string
  /** `param_p0`, `param_p1`, …, as in the URL of the request. */
  parameters: Record<string, string>
}

/** A server refuses URL fields over 128 KiB, and proxies refuse far shorter ones. */
const MAX_IN_URL = 2_000

/** The text of a statement and its parameters. @throws EvidenceError bug for a statement that would write a file. */
export function requestText(fragment: Fragment): RequestText {
  const { text, parameters: given } = render(fragment)
  if (/\binto\s+outfile\b/i.test(text)) throw new EvidenceError('bug', 'No statement may write a file.')
  const parameters: Record<string, string> = {}
  let room = MAX_IN_URL
  const literals = new Map<string, string>()
  given.forEach((parameter, at) => {
    if (parameter.text.length <= room) {
      parameters[`param_p${at}`] = parameter.text
      room -= parameter.text.length
    } else {
      literals.set(`{p${at}:${parameter.type}}`, literal(parameter))
    }
  })
  return { text: inText(text, literals), parameters }
}

/**
 * The value of a placeholder as part of the text. A text has the escapes of SQL. A list has those of parameters,
 * because the engine parses it from a text.
 */
function literal({ type, text }: Parameter): string {
  if (type === 'String') return `'${text.replaceAll("'", "\\'")}'`
  return `CAST(${sqlString(text)}, ${sqlString(type)})`
}

function inText(text: string, literals: ReadonlyMap<string, string>): string {
  if (literals.size === 0) return text
  return text.replace(/\{p\d+:[^}]*\}/g, (placeholder) => literals.get(placeholder) ?? placeholder)
}
