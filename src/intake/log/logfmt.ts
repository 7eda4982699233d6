/** logfmt: `name=value` pairs, with quotes around values with blanks. The operator chooses the names, as in JSON. */
import type { FileState, JsonObject, LineFormat, LineOutcome } from './format.ts'
import { isRequestWithoutAgent, operatorNames } from './json/operator-names.ts'
import type { LogRecord } from './record.ts'

export const logfmt: LineFormat = { name: 'logfmt', reads: (line) => pairsOf(line) !== null, read }

const FIRST = /^[A-Za-z@_][\w.@-]{0,63}=/
const NAME = /^[\w.@/-]{1,64}$/
const MAX_NAME_LENGTH = 64
const MAX_PAIRS = 256
/** Fewer pairs may be a sentence with an equals sign. */
const MIN_PAIRS = 4

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const pairs = pairsOf(line) as JsonObject
  if (operatorNames.reads(pairs)) {
    const outcome = operatorNames.read(pairs, into, file)
    into.cut_off = !is_closed
    return outcome
  }
  return isRequestWithoutAgent(pairs) ? 'no_user_agent' : 'not_an_access_log_line'
}

let last_line = ''
/** Whether the last value of the last line has its closing quote. */
let is_closed = false
let last_pairs: JsonObject | null = null

/** The pairs of a line that consists of pairs; null for any other line. */
function pairsOf(line: string): JsonObject | null {
  if (!FIRST.test(line)) return null
  if (line === last_line) return last_pairs
  last_line = line
  last_pairs = readPairs(line)
  return last_pairs
}

function readPairs(line: string): JsonObject | null {
  const pairs: JsonObject = {}
  let count = 0
  for (let at = 0; at < line.length && count < MAX_PAIRS; count += 1) {
    if (line[at] === ' ') {
      at += 1
      count -= 1
      continue
    }
    const equals = line.indexOf('=', at)
    const name = equals < 0 || equals - at > MAX_NAME_LENGTH ? '' : line.slice(at, equals)
    if (!NAME.test(name)) return null
    const is_quoted = line[equals + 1] === '"'
    const end = is_quoted ? quoteEnd(line, equals + 2) : wordEnd(line, equals + 1)
    const value = is_quoted ? unquoted(line.slice(equals + 2, end)) : line.slice(equals + 1, end)
    is_closed = is_quoted && end < line.length
    // If a name occurs twice, the first value counts.
    if (!Object.hasOwn(pairs, name)) pairs[name] = value
    at = is_quoted ? end + 1 : end
    if (at < line.length && line[at] !== ' ') return null
  }
  return count < MIN_PAIRS ? null : pairs
}

/** Offset of the closing quote; the length of the line if there is none. */
function quoteEnd(line: string, from: number): number {
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '"') return at
    if (line[at] === '\\') at += 1
  }
  return line.length
}

function wordEnd(line: string, from: number): number {
  const blank = line.indexOf(' ', from)
  return blank < 0 ? line.length : blank
}

function unquoted(text: string): string {
  return text.includes('\\') ? text.replace(/\\(["\\])/g, '$1') : text
}
