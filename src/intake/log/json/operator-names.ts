/**
 * JSON with field names of the operator's choice (nginx, Fastly, Envoy, HAProxy, application servers): common names are
 * known, and nested objects have joined names. A line is claimed only if it has a request, a user agent, and a status
 * or method.
 */
import { type EdgeAction, edgeActionOf } from '../edge-action.ts'
import { ENVELOPE_TIME } from '../envelopes.ts'
import type { FileState, JsonFormat, JsonObject, LineOutcome } from '../format.ts'
import { fillFromLine, fillRecord } from '../named-request.ts'
import type { LogRecord } from '../record.ts'
import { hostText } from '../remembered.ts'
import { objectOf, statusOf, textOf, timeOf } from './values.ts'

export const operatorNames: JsonFormat = { name: 'operator json', reads, read }

/** A request by its fields, but without a user agent among them. */
export function isRequestWithoutAgent(json: JsonObject): boolean {
  const fields = fieldsOf(json)
  return isRequest(fields) && find(fields, AGENT) === null
}

const AGENT = names('http_user_agent user_agent useragent request_user_agent client_user_agent agent ua', [
  'user_agent_original http_request_user_agent req_headers_user_agent request_headers_user_agent headers_user_agent',
  'httprequest_useragent req_user_agent identity_useragent client_user_agent_original',
])
const REQUEST = names('request request_line requestline http_request')
const METHOD = names('request_method http_method method verb req_method http_request_method requestmethod httpmethod')
/** The target as the client sent it comes before that which the server rewrote. */
const TARGET = names('request_uri requesturi request_url url original_uri x_envoy_origin_path x_envoy_original_path', [
  'url_original req_url http_url url_full http_target uri request_path requestpath rawpath raw_path path url_path',
  'uri_path req_path http_path',
])
const STATUS = names('status response_status status_code statuscode response_code http_status http_status_code', [
  'http_response_status_code res_statuscode res_status_code resp_status response_status_code response code',
])
const HOST = names('http_host request_host requesthost authority req_headers_host request_headers_host headers_host', [
  'url_domain vhost virtual_host domain domainname domain_name server_name server_address host',
])
/** nginx's own before those that a shipper may set to the time at which it read the line. */
const TIME = names('time_iso8601 time_local msec timestamp @timestamp @t start_time ts time datetime date', [
  'request_timestamp event_time eventtime requesttime requesttimeepoch started_at timeunixnano time_unix_nano',
  'observedtimeunixnano',
  ENVELOPE_TIME,
])
const CLIENT = names('remote_addr client_ip clientip remote_ip ip client source_ip client_address remote_address', [
  'downstream_remote_address req_remoteaddress http_client_ip sourceip identity_sourceip network_peer_address',
  'net_peer_ip remoteip remoteaddr remoteipaddress remote_ip_address remote_host remote',
])

function reads(json: JsonObject): boolean {
  const fields = fieldsOf(json)
  return isRequest(fields) && find(fields, AGENT) !== null
}

function read(json: JsonObject, into: LogRecord, file: FileState): LineOutcome {
  const fields = fieldsOf(json)
  const at = findTime(fields, file)
  if (typeof at === 'string') return at
  const rest = {
    at,
    status: findStatus(fields),
    host: findHost(fields),
    user_agent: find(fields, AGENT) as string,
    client: find(fields, CLIENT),
    edge_action: edgeActionIn(fields),
  }
  const line = find(fields, REQUEST)
  // Apache's %U and Logstash's pattern for access logs give `request` the path alone.
  const target = find(fields, TARGET) ?? (line !== null && PATH.test(line) ? line : null)
  if (line !== null && (target === null || REQUEST_LINE.test(line))) return fillFromLine(into, line, rest)
  return fillRecord(into, { ...rest, method: find(fields, METHOD), target: target as string })
}

/** Fastly's example has `waf_blocked`; the other names are specific. A general `action` does not count. */
function edgeActionIn(fields: Fields): EdgeAction | null {
  const word = find(fields, EDGE_ACTION)
  if (word !== null) return edgeActionOf(word)
  const value = fields.get('waf_blocked')
  const blocked = typeof value === 'boolean' ? String(value) : textOf(value)
  if (blocked === null || blocked === '') return null
  return /^(?:1|true|yes)$/i.test(blocked) ? 'block' : 'none'
}

const EDGE_ACTION = names('edge_action waf_action wafaction security_action securityaction firewall_action')
const REQUEST_LINE = /^[A-Za-z_-]+ \S/
const PATH = /^(?:\/|\*$|https?:\/\/)/i

type Fields = Map<string, unknown>

function isRequest(fields: Fields): boolean {
  if (find(fields, REQUEST) === null && find(fields, TARGET) === null) return false
  return find(fields, STATUS) !== null || find(fields, METHOD) !== null
}

function names(first: string, rest: readonly string[] = []): string[] {
  return [first, ...rest].join(' ').split(' ')
}

/** The text of the first of these names; it may be empty, because an empty agent is an agent. */
function find(fields: Fields, wanted: readonly string[]): string | null {
  for (const name of wanted) {
    const text = textOf(fields.get(name))
    if (text !== null) return text
  }
  return null
}

/** The first number: `status` may be a word beside it. */
function findStatus(fields: Fields): number | null {
  for (const name of STATUS) {
    const status = statusOf(fields.get(name))
    if (status !== null) return status
  }
  return null
}

function findTime(fields: Fields, file: FileState): number | 'no_timestamp' | 'bad_timestamp' {
  const date = textOf(fields.get('date'))
  const time = textOf(fields.get('time'))
  if (date !== null && time !== null && /^\d\d:\d\d/.test(time)) return timeOf(`${date} ${time}`, file.zone)
  let outcome: number | 'no_timestamp' | 'bad_timestamp' = 'no_timestamp'
  for (const name of TIME) {
    const found = timeOf(fields.get(name), file.zone)
    if (typeof found === 'number') return found
    if (found === 'bad_timestamp') outcome = found
  }
  return outcome
}

/** Log shippers write the machine's name as `host`, so `host` counts only with a dot, and never in GELF. */
function findHost(fields: Fields): string | null {
  for (const name of HOST) {
    const text = textOf(fields.get(name))
    if (text === null || hostText(text) === null) continue
    if (name !== 'host' || (text.includes('.') && !fields.has('short_message'))) return text
  }
  return null
}

const MAX_FIELDS = 500
/** The longest joined name that is stored; no known name is longer. */
const MAX_NAME_LENGTH = 128

let last_json: JsonObject | null = null
let last_fields: Fields = new Map()

/** Fields by their joined lower-case names, computed once for each line. */
function fieldsOf(json: JsonObject): Fields {
  if (json === last_json) return last_fields
  const fields: Fields = new Map()
  gather(json, { prefix: '', depth: 0 }, fields)
  last_json = json
  last_fields = fields
  return fields
}

/** Where an object lies: the joined names of the objects around it, and how many they are. */
interface Nesting {
  /** Ends with `_`; empty for the outermost object, and for objects whose names say nothing. */
  prefix: string
  depth: number
}

/** Deeper objects hold nothing of a request. */
const MAX_DEPTH = 3

function gather(json: JsonObject, { prefix, depth }: Nesting, into: Fields): void {
  for (const key of Object.keys(json)) {
    if (into.size >= MAX_FIELDS) return
    if (prefix.length + key.length > MAX_NAME_LENGTH) continue
    const name = `${prefix}${plainName(key)}`
    const value = json[key]
    if (typeof value === 'object' && value !== null) {
      // OpenTelemetry and Serilog have the fields of a request in these two, whose names say nothing.
      const inner = { prefix: name === 'attributes' || name === 'properties' ? '' : `${name}_`, depth: depth + 1 }
      if (Array.isArray(value)) gatherList(value, name, inner, into)
      else if (depth < MAX_DEPTH) gather(value as JsonObject, inner, into)
    } else if (!into.has(name)) into.set(name, value)
  }
}

/** `$http-User.Agent` as `http_user_agent`. */
const plainName = (key: string): string =>
  key
    .toLowerCase()
    .replace(/^[:$_]+/, '')
    .replace(/[-. ]/g, '_')

/** The values of a header, of which the first counts, or OpenTelemetry's `[{"key", "value": {"stringValue"}}]`. */
function gatherList(list: readonly unknown[], name: string, inner: Nesting, into: Fields): void {
  const [first] = list
  if (objectOf(first)?.key === undefined || inner.depth > MAX_DEPTH) {
    into.set(name, first)
    return
  }
  for (const one of list.slice(0, MAX_FIELDS).map(objectOf)) {
    const key = textOf(one?.key)
    const value = objectOf(one?.value)
    if (key !== null && value !== null) gather({ [key]: Object.values(value)[0] }, inner, into)
  }
}
