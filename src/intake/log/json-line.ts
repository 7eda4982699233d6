/** Lines that are JSON objects: parsed once, then claimed by the first format that knows the layout. */
import { trimBlanks } from './blanks.ts'
import { decodeText, toBinary } from './decode.ts'
import type { FileState, JsonFormat, JsonObject, Outcome } from './format.ts'
import { akamai } from './json/akamai.ts'
import { azure } from './json/azure.ts'
import { caddy } from './json/caddy.ts'
import { googleCloud } from './json/google-cloud.ts'
import { logpush } from './json/logpush.ts'
import { netlify } from './json/netlify.ts'
import { isRequestWithoutAgent, operatorNames } from './json/operator-names.ts'
import { traefik } from './json/traefik.ts'
import { vercel } from './json/vercel.ts'
import { w3cJson } from './json/w3c.ts'
import { hasTooManyParts } from './json-parts.ts'
import type { LogRecord } from './record.ts'
import { messageOf } from './unwrap.ts'

/** Vendors' layouts first; the last one takes whatever names an operator gave. */
const formats: readonly JsonFormat[] = [
  logpush,
  vercel,
  caddy,
  traefik,
  googleCloud,
  azure,
  akamai,
  netlify,
  w3cJson,
  operatorNames,
]

/** Reads a line that begins like JSON. A text (in `message`) is a line that the object only carried, to be read on its own. */
export function readJsonLine(line: string, into: LogRecord, file: FileState): Outcome | { message: string } {
  const json = parseObject(line)
  if (typeof json === 'string') return json
  const format = formats.find((one) => one.reads(json))
  if (format !== undefined) return format.read(json, into, file)
  const message = messageOf(json)
  if (message !== null) return { message }
  return isRequestWithoutAgent(json) ? 'no_user_agent' : 'unknown_json'
}

function parseObject(line: string): JsonObject | JsonProblem {
  if (hasTooManyParts(line)) return 'unknown_json'
  // Looked at first: an attempt to parse costs far more than a short line is worth.
  if (!/[}\]]\s{0,16},?$/.test(trimBlanks(line).slice(-32))) return 'line_cut_off'
  const value = parseBinary(line)
  if (value === undefined) return 'json_broken'
  if (!Array.isArray(value)) return value as JsonObject
  const [only] = value
  return value.length === 1 && isObject(only) ? only : 'several_records'
}

type JsonProblem = 'json_broken' | 'line_cut_off' | 'several_records' | 'unknown_json'

/** A value with binary strings from a binary line; undefined for text that is no JSON. */
export function parseBinary(line: string): unknown {
  const plain = line.endsWith(',') ? line.slice(0, -1) : line
  try {
    // A \u escape names a real character, so such a line is decoded first and its strings turned back into bytes.
    if (UNICODE_ESCAPE.test(plain)) return JSON.parse(decodeText(plain), (_key, value) => binaryOf(value))
    return JSON.parse(plain)
  } catch {
    return plain.includes('\\x') ? parseNginxEscapes(plain) : undefined
  }
}

/** nginx with its default escaping writes \xHH for a byte, which JSON does not know (test: "nginx without escape=json"). */
function parseNginxEscapes(line: string): unknown {
  try {
    return JSON.parse(line.replace(/\\x([0-9A-Fa-f]{2})/g, '\\u00$1'))
  } catch {
    return undefined
  }
}

const UNICODE_ESCAPE = /\\u(?!00[0-7])/i

function binaryOf(value: unknown): unknown {
  return typeof value === 'string' ? toBinary(value) : value
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
