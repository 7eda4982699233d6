/** Reads lines that are JSON objects: each is parsed once, and read by the first format that claims it. */
import { trimBlanks } from './blanks.ts'
import { unwrapEnvelope } from './envelopes.ts'
import type { FileState, JsonFormat, JsonObject, LineOutcome } from './format.ts'
import { akamai } from './json/akamai.ts'
import { awsWaf } from './json/aws-waf.ts'
import { azure } from './json/azure.ts'
import { azureAppService } from './json/azure-app-service.ts'
import { caddy } from './json/caddy.ts'
import { googleCloud } from './json/google-cloud.ts'
import { logpush } from './json/logpush.ts'
import { netlify } from './json/netlify.ts'
import { isRequestWithoutAgent, operatorNames } from './json/operator-names.ts'
import { traefik } from './json/traefik.ts'
import { vercel } from './json/vercel.ts'
import { w3cJson } from './json/w3c.ts'
import { hasTooManyParts } from './json-parts.ts'
import { parseBinary } from './parse-binary.ts'
import type { LogRecord } from './record.ts'

/** Vendors' layouts first; the last one reads field names of the operator's choice. */
const formats: readonly JsonFormat[] = [
  logpush,
  vercel,
  caddy,
  traefik,
  awsWaf,
  googleCloud,
  azure,
  azureAppService,
  akamai,
  netlify,
  w3cJson,
  operatorNames,
]

/** Reads a line that begins like JSON. If the object is an envelope of a text line, returns that line as `message`. */
export function readJsonLine(line: string, into: LogRecord, file: FileState): LineOutcome | { message: string } {
  const json = parseObject(line)
  return typeof json === 'string' ? json : readObject(json, into, file, 0)
}

function readObject(
  json: JsonObject,
  into: LogRecord,
  file: FileState,
  depth: number,
): LineOutcome | { message: string } {
  const format = formats.find((one) => one.reads(json))
  if (format !== undefined) {
    const outcome = format.read(json, into, file)
    if (outcome === null && format.isOfEdge?.(json)) file.sees_edge = true
    return outcome
  }
  const carried = unwrapEnvelope(json)
  if (carried === 'several_records') return carried
  if (carried !== null && 'message' in carried) return carried
  if (carried !== null && depth < MAX_DEPTH) return readObject(carried.json, into, file, depth + 1)
  return isRequestWithoutAgent(json) ? 'no_user_agent' : 'unknown_json'
}

/** The deepest nesting of envelopes; an envelope in another one has less. */
const MAX_DEPTH = 3

function parseObject(line: string): JsonObject | JsonProblem {
  if (hasTooManyParts(line)) return 'unknown_json'
  // Checked first, because parsing takes far longer.
  if (!/[}\]]\s{0,16},?$/.test(trimBlanks(line).slice(-32))) return 'line_cut_off'
  const value = parseBinary(line)
  if (value === undefined) return beginsWithWhole(line) ? 'several_records' : 'json_broken'
  if (!Array.isArray(value)) return value as JsonObject
  const [only] = value
  return value.length === 1 && isObject(only) ? only : 'several_records'
}

type JsonProblem = 'json_broken' | 'line_cut_off' | 'several_records' | 'unknown_json'

/** Whether a line that is not JSON begins with a whole object, as some collectors write several on a line. */
function beginsWithWhole(line: string): boolean {
  const next = /\}[ \t,]{0,16}\{/g
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = next.exec(line)
    if (found === null) return false
    const first = line.slice(0, found.index + 1)
    if (first.length > MAX_FIRST) return false
    if (isObject(parseBinary(first))) return true
  }
  return false
}

/** Bounds of work that only makes a reason more precise. */
const MAX_TRIES = 8
const MAX_FIRST = 65_536

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
