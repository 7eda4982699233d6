/** Fills a record from a request whose parts a log has under names, without a request line to refer to. */
import type { EdgeAction } from './edge-action.ts'
import { beginRecord } from './format.ts'
import { observedStatus } from './observed-status.ts'
import type { LogRecord } from './record.ts'
import { hostText, plainAgent } from './remembered.ts'

/** All texts are binary strings without the log's quoting. */
export interface NamedRequest {
  /** Epoch milliseconds. */
  at: number
  /** Null if the log does not have it. */
  method: string | null
  target: string
  status: number | null
  /** As logged, with or without a port; null if the log does not have it. */
  host: string | null
  user_agent: string
  client: string | null
  /** Left out if the format never has it. */
  edge_action?: EdgeAction | null
}

/** Fills a record from named fields of a log. */
export function fillRecord(into: LogRecord, request: NamedRequest): null {
  return fillFromLine(into, `${request.method ?? UNKNOWN_METHOD} ${request.target} HTTP/1.1`, request)
}

/** Like `fillRecord`, for a log that has the whole request line. */
export function fillFromLine(into: LogRecord, line: string, request: Omit<NamedRequest, 'method' | 'target'>): null {
  const { client } = request
  // Readers of the record unescape it like a text log, so backslashes of the request are doubled.
  const quoted = line.includes('\\') ? line.replaceAll('\\', '\\\\') : line
  beginRecord(into, client === null ? quoted : `${quoted}\n${client}`, request.at)
  into.request_start = 0
  into.request_end = quoted.length
  into.client_start = client === null ? 0 : quoted.length + 1
  into.client_end = client === null ? 0 : into.source.length
  into.status_raw = request.status === null || request.status < 0 ? null : request.status
  into.status = observedStatus(into.status_raw)
  into.host = request.host === null ? null : hostText(request.host)
  into.user_agent = plainAgent(request.user_agent)
  into.edge_action = request.edge_action ?? null
  return null
}

/** The method of requests in logs without one. */
const UNKNOWN_METHOD = 'UNKNOWN'
