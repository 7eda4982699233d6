/**
 * JSON envelopes of shippers and collectors: docker, journald, Splunk HEC, Loki, GELF, OpenTelemetry. The record inside
 * of an envelope is read by itself; an envelope with several records is not read.
 */
import { trimLineEnd } from './blanks.ts'
import type { JsonObject } from './format.ts'
import { objectOf, textOf } from './json/values.ts'

/** The content of an envelope: a line of text, an object, or several records. */
export type EnvelopeContent = { message: string } | { json: JsonObject } | 'several_records'

/** The content of an envelope; null if the object is not a known envelope. */
export function unwrapEnvelope(json: JsonObject): EnvelopeContent | null {
  return ofSplunk(json) ?? ofLoki(json) ?? ofOpenTelemetry(json) ?? ofMessage(json)
}

/** Splunk's HTTP event collector: `{"time", "host", "sourcetype", "event"}`; `host` is the machine's name. */
function ofSplunk(json: JsonObject): EnvelopeContent | null {
  const { event } = json
  if (!SPLUNK_KEYS.some((key) => key in json)) return null
  if (typeof event === 'string') return { message: trimLineEnd(event) }
  const carried = objectOf(event)
  return carried === null ? null : { json: withTime(carried, json.time) }
}

const SPLUNK_KEYS = ['sourcetype', 'source', 'index', 'time']

/** Loki's push and query formats: streams of `[time, line]`. */
function ofLoki(json: JsonObject): EnvelopeContent | null {
  const streams = Array.isArray(json.streams) ? json.streams : objectOf(json.data)?.result
  if (!Array.isArray(streams)) return null
  const lines = streams.map((stream) => objectOf(stream)?.values)
  if (!lines.every(Array.isArray)) return null
  const [pair, more] = lines.flat(1)
  if (more !== undefined) return 'several_records'
  return Array.isArray(pair) && typeof pair[1] === 'string' ? { message: trimLineEnd(pair[1]) } : null
}

/** OpenTelemetry's wire format: `resourceLogs` of `scopeLogs` of `logRecords`. */
function ofOpenTelemetry(json: JsonObject): EnvelopeContent | null {
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

function ofMessage(json: JsonObject): EnvelopeContent | null {
  for (const key of MESSAGE_KEYS) {
    const message = json[key]
    if (typeof message === 'string' && MAY_BE_LINE.test(message)) return { message: trimLineEnd(message) }
  }
  return null
}

/** Keys of the program's line in docker, journald, GELF, logcli and log shippers. */
const MESSAGE_KEYS = ['log', 'message', 'MESSAGE', 'msg', 'line', 'full_message', 'short_message', 'body', 'Body']
/** Lines of all layouts contain a quote or a tab, or begin with a pair or with bunny.net's first two values. */
const MAY_BE_LINE = /["\t]|^[\w.@-]{1,64}=|^[A-Z_-]{1,16}\|\d/

/** Gives an event without a time of its own the time of its envelope. */
function withTime(carried: JsonObject, time: unknown): JsonObject {
  return textOf(time) === null || 'time' in carried ? carried : { ...carried, [ENVELOPE_TIME]: time }
}

/** The name of an envelope's time among the fields of its event, used if the event has no time of its own. */
export const ENVELOPE_TIME = 'envelope_time'
