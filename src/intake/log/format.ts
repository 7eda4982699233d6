/** The interface of log formats: one file each, listed in formats.ts; each line is matched anew. */
import type { NamedColumns } from './columns.ts'
import type { LogRecord, MalformedCode } from './record.ts'
import type { RecentIds } from './repeated-entries.ts'
import type { LocalZone } from './time.ts'

/** Lines of a known format that are not visits: made on behalf of a counted request, or of the server itself. */
export type IgnoredKind = 'sub_request' | 'server_internal'

/** Null: the record is filled. After an ignored kind only its time is. */
export type LineOutcome = MalformedCode | IgnoredKind | null

/** What is known of the file beyond the line at hand. */
export interface FileState {
  /** For times that carry no zone themselves. */
  zone: LocalZone
  /** The `#Fields` in force; null before the first. */
  columns: NamedColumns | null
  /** Name of the format of the last record; null before the first. */
  format: string | null
  /** Requests that several lines may be about. */
  requests: RecentIds
  /** Some record so far was in a format of a CDN. */
  sees_edge: boolean
}

export interface LineFormat {
  name: string
  /** Whether this format claims the line. The first that does reads it, for better or worse. */
  reads(line: string, file: FileState): boolean
  /** Fills every field of the record from a binary line without its line end, or says what the line is instead. */
  read(line: string, into: LogRecord, file: FileState): LineOutcome
  /** Whether a CDN wrote this line, about what its edge answered; left out where no CDN writes such lines. */
  isOfEdge?(line: string, file: FileState): boolean
}

/** A parsed JSON object whose strings are binary (one character per byte). */
export type JsonObject = Record<string, unknown>

export interface JsonFormat {
  name: string
  reads(json: JsonObject): boolean
  read(json: JsonObject, into: LogRecord, file: FileState): LineOutcome
  /** The same as of a line. */
  isOfEdge?(json: JsonObject): boolean
}

/** Sets request, client and tail to parts of `source`; unknown ones stay an empty range, the edge action null. */
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
