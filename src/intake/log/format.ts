/** The interface of log formats: one file each, listed in formats.ts. The format of each line is detected by itself. */
import type { NamedColumns } from './columns.ts'
import type { LogRecord, MalformedCode } from './record.ts'
import type { RecentIds } from './repeated-entries.ts'
import type { LocalZone } from './time.ts'

/** Lines of a known format that are not visits: on behalf of a counted request, or of the server itself. */
export type IgnoredKind = 'sub_request' | 'server_internal'

/** Null: the record is filled. After an ignored kind only its time is filled. */
export type LineOutcome = MalformedCode | IgnoredKind | null

/** The state of a file between its lines. */
export interface FileState {
  /** The zone of times without one. */
  zone: LocalZone
  /** The `#Fields` in force; null before the first. */
  columns: NamedColumns | null
  /** Name of the format of the last record; null before the first. */
  format: string | null
  /** Ids of recent requests, for formats with several lines for a request. */
  requests: RecentIds
  /** Whether some record so far was in a format of a CDN. */
  sees_edge: boolean
}

export interface LineFormat {
  name: string
  /** Whether this format claims the line. The first format that does must read it. */
  reads(line: string, file: FileState): boolean
  /** Fills every field of the record from a binary line without its line end, or returns what the line is instead. */
  read(line: string, into: LogRecord, file: FileState): LineOutcome
  /** Whether the edge of a CDN wrote this line; left out if no CDN writes such lines. */
  isOfEdge?(line: string, file: FileState): boolean
}

/** A parsed JSON object whose strings are binary (one character per byte). */
export type JsonObject = Record<string, unknown>

export interface JsonFormat {
  name: string
  reads(json: JsonObject): boolean
  read(json: JsonObject, into: LogRecord, file: FileState): LineOutcome
  /** As for lines. */
  isOfEdge?(json: JsonObject): boolean
}

/** Resets a record: request, client and tail are empty ranges of `source`, and the edge action is null. */
export function beginRecord(into: LogRecord, source: string, at: number): void {
  into.at = at
  into.source = source
  into.host = null
  into.edge_action = null
  into.client_start = 0
  into.client_end = 0
  into.tail_start = 0
  into.tail_end = 0
  into.cut_off = false
  into.verified_bot = null
}
