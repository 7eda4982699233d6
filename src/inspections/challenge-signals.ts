/**
 * Signals of a challenge or a block in a response, from a table of 29 vendors (rules 8.3). The presence of a product
 * alone is not a signal.
 */

import table from './challenge-signals.json' with { type: 'json' }
import { causeOfErrorCode, findErrorCode } from './edge-error-codes.ts'
import type { ChallengeFinding, ChallengeSignal } from './inspection.ts'

/** The observed parts of a response. */
export interface ObservedResponse {
  status: number
  /** The lines of each header, by its name in lower case. */
  header_lines: NodeJS.Dict<string[]>
  /** Empty if the body is not read. */
  body: Buffer
}

interface Signal extends ChallengeSignal {
  where: 'header' | 'cookie' | 'body' | 'location' | 'status'
  /** Of the header. */
  name?: string
  pattern: RegExp
  /** The signal counts only with one of these statuses. */
  statuses: ReadonlySet<number> | null
}

const SIGNALS: readonly Signal[] = table.map(({ where, role, certainty, pattern, ...signal }) => ({
  ...signal,
  where: where as Signal['where'],
  role: role as Signal['role'],
  certainty: certainty as Signal['certainty'],
  pattern: new RegExp(pattern, 'i'),
  statuses: 'statuses' in signal && signal.statuses !== undefined ? new Set(signal.statuses) : null,
}))

/** Certainties that allow naming the vendor. Other signals may be shared by several products. */
const VENDOR_SAYS_SO: ReadonlySet<string> = new Set(['vendor_documented', 'vendor_source_code'])

/**
 * Only decisive signals prove a challenge; supporting ones are listed with them. An error page of a CDN is not decisive
 * if its error code has another cause, such as an origin that is down.
 */
export function findChallenge(response: ObservedResponse): ChallengeFinding {
  const text = textToSearch(response.body)
  const found = SIGNALS.filter((signal) => isFound(signal, response, text))
  const error_code = findErrorCode(response, text)
  const cause = error_code === null ? null : causeOfErrorCode(error_code)
  const isOtherError = cause !== null && cause !== 'waf_or_challenge'
  const decisive = found.filter(
    ({ role, meaning }) => role === 'decisive' && !(meaning === 'error_page' && isOtherError),
  )
  const signals = new Map(
    found.map(({ id, vendor, role, certainty, meaning }) => [id, { id, vendor, role, certainty, meaning }]),
  )
  return {
    state: decisive.length > 0 ? 'detected' : 'not_detected',
    vendor: decisive.find(({ certainty }) => VENDOR_SAYS_SO.has(certainty))?.vendor ?? null,
    signals: [...signals.values()],
    error_code,
  }
}

function isFound({ where, name, pattern, statuses }: Signal, response: ObservedResponse, text: string): boolean {
  const { status, header_lines } = response
  if (statuses !== null && !statuses.has(status)) return false
  const lines = (header: string) => header_lines[header] ?? []
  switch (where) {
    case 'status':
      return true
    case 'header':
      return lines(name ?? '').some((line) => pattern.test(line))
    case 'cookie':
      return lines('set-cookie').some((line) => pattern.test(line))
    case 'location':
      return lines('location').some((line) => pattern.test(line))
    case 'body':
      return pattern.test(text)
  }
}

/** Challenges are small pages, with their signs at the beginning. */
const MAX_SEARCHED_BYTES = 64 * 1024
/** Elements in which articles about firewalls quote challenge pages. */
const MAX_UNQUOTED_LENGTH = 10 * 1024

function textToSearch(body: Buffer): string {
  const text = decodeNumericEntities(body.subarray(0, MAX_SEARCHED_BYTES).toString('utf8'))
  return text.length <= MAX_UNQUOTED_LENGTH ? text : withoutQuotes(text)
}

/** Akamai writes `errors&#46;edgesuite&#46;net`. */
function decodeNumericEntities(text: string): string {
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (entity, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}

/** TRICKY: one pattern for a whole element would scan to the end of the page for every unfinished element. */
function withoutQuotes(text: string): string {
  const lower = text.toLowerCase()
  const kept: string[] = []
  let at = 0
  for (const { index, 1: name = '' } of text.matchAll(/<(pre|code)\b/gi)) {
    if (index < at) continue
    kept.push(text.slice(at, index))
    const end = lower.indexOf(`</${name.toLowerCase()}`, index)
    if (end === -1) return kept.join('')
    at = end
  }
  return kept.join('') + text.slice(at)
}
