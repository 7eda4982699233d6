/**
 * JSON in which a shipper or collector carries what a program wrote: docker, journald, Splunk HEC, Loki, GELF,
 * OpenTelemetry. What is inside is read on its own; an envelope around several records is not.
 */
import { trimLineEnd } from './blanks.ts'
import type { JsonObject } from './format.ts'
import { objectOf, textOf } from './json/values.ts'

/** A line of text, an object, or word that there is more than one. */
export type Carried = { message: string } | { json: JsonObject } | 'several_records'

/** What an object carries; null where it is not an envelope that is known. */
export function unwrapEnvelope(json: JsonObject): Carried | null {
  return ofSplunk(json) ?? ofLoki(json) ?? ofOpenTelemetry(json) ?? ofMessage(json)
}

/** Splunk's HTTP event collector: `{"time", "host", "sourcetype", "event"}`, `host` being the machine's name. */
function ofSplunk(json: JsonObject): Carried | null {
  const { event } = json
  if (!SPLUNK_KEYS.some((key) => key in json)) return null
  if (typeof event === 'string') return { message: trimLineEnd(event) }
  const carried = objectOf(event)
  return carried === null ? null : { json: withTime(carried, json.time) }
}

const SPLUNK_KEYS = ['sourcetype', 'source', 'index', 'time']

/** Loki's push and query forms: streams of `[time, line]`. */
function ofLoki(json: JsonObject): Carried | null {
  const streams = Array.isArray(json.streams) ? json.streams : objectOf(json.data)?.result
  if (!Array.isArray(streams)) return null
  const lines = streams.map((stream) => objectOf(stream)?.values)
  if (!lines.every(Array.isArray)) return null
  const [pair, more] = lines.flat(1)
  if (more !== undefined) return 'several_records'
  return Array.isArray(pair) && typeof pair[1] === 'string' ? { message: trimLineEnd(pair[1]) } : null
}

/** OpenTelemetry's wire form: `resourceLogs` of `scopeLogs` of `logRecords`. */
function ofOpenTelemetry(json: JsonObject): Carried | null {
  if (Array.isArray(json.resourceLogs)) {
    const scopes = json.resourceLogs.map((one) => objectOf(one)?.scopeLogs)
    if (!scopes.every(Array.isArray)) return null
    const records = scopes.flat(1).map((one) => objectOf(one)?.logRecords)
    if (!records.every(Array.isArray)) return null
    const [record, more] = records.flat(1)
    if (more !== undefined) return 'several_records'
    const only = objectOf(record)
    return only === null ? null : { json: only }
  }
  const body = objectOf(json.body)?.stringValue
  return typeof body === 'string' ? { message: trimLineEnd(body) } : null
}

function ofMessage(json: JsonObject): Carried | null {
  for (const key of MESSAGE_KEYS) {
    const message = json[key]
    if (typeof message === 'string' && MAY_BE_LINE.test(message)) return { message: trimLineEnd(message) }
  }
  return null
}

/** Keys under which docker, journald, GELF, logcli and log shippers keep the line that the program wrote. */
const MESSAGE_KEYS = ['log', 'message', 'MESSAGE', 'msg', 'line', 'full_message', 'short_message', 'body', 'Body']
/** A line of any layout has a quote or a tab in it, or begins with a pair or with bunny.net's two values. */
const MAY_BE_LINE = /["\t]|^[\w.@-]{1,64}=|^[A-Z_-]{1,16}\|\d/

/** An event without a time of its own happened at its envelope's. */
function withTime(carried: JsonObject, time: unknown): JsonObject {
  return textOf(time) === null || 'time' in carried ? carried : { ...carried, [ENVELOPE_TIME]: time }
}

/** The name under which an envelope's time stands among the fields that it carries; the last one that is asked for. */
export const ENVELOPE_TIME = 'envelope_time'
