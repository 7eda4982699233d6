/**
 * Reads an access log. The layout of every line is detected by itself, because files may mix several (decisions 3.4).
 */
import { columnsOf } from './columns.ts'
import { combined } from './combined.ts'
import type { FileState, IgnoredKind, LineOutcome } from './format.ts'
import { formats } from './formats.ts'
import { readJsonLine } from './json-line.ts'
import { LINE_LIMIT, type LineBatch } from './lines.ts'
import { MAX_STATUS } from './observed-status.ts'
import { emptyRecord, type LogRecord, type MalformedCode } from './record.ts'
import { RecentIds } from './repeated-entries.ts'
import { scanCombined } from './scan-combined.ts'
import { localZone } from './time.ts'
import { withoutPrefix } from './unwrap.ts'

/** The kind of a line. After an ignored kind only the time of the record is filled. */
export type LineKind = 'record' | 'malformed' | IgnoredKind

/**
 * Walks the lines of a file. `load` takes a batch; `next` reads the next line and returns its kind, or null at the end
 * of the batch. Blank lines and directives (`#Fields:`, comments) are skipped, but counted in `line_number`. The record
 * is one object that each `next` overwrites.
 */
export class LogReader {
  readonly record: LogRecord = emptyRecord()
  /** Why the line is malformed; valid after `next` has returned 'malformed'. */
  malformed: MalformedCode = 'not_an_access_log_line'
  /** The number of the line that `next` has read, from 1. */
  line_number = 0
  /** Some time so far had no zone, so that another `timezone` would give another instant. */
  has_local_times = false
  readonly #file: FileState
  #bytes: Buffer = EMPTY
  #at = 0
  #start = 0
  #end = 0
  #line: string | null = null
  #too_long = false
  #terminated = true
  /** The last accepted line had fields after its agent. */
  #had_tail = false

  /** `timezone`: the zone of times without one (see localZone). */
  constructor(timezone = 'UTC') {
    const of_file = localZone(timezone)
    const zone = (local: number) => {
      this.has_local_times = true
      return of_file(local)
    }
    this.#file = { zone, columns: null, format: null, requests: new RecentIds(), sees_edge: false }
  }

  /** Some record so far was in a format of a CDN. */
  get sees_edge(): boolean {
    return this.#file.sees_edge
  }

  load(batch: LineBatch): void {
    this.#bytes = batch.bytes
    this.#at = 0
    this.#too_long = batch.too_long
    this.#terminated = batch.terminated
  }

  next(): LineKind | null {
    const bytes = this.#bytes
    if (this.#too_long) {
      this.#too_long = false
      this.#begin(0, 0)
      this.#line = ''
      this.malformed = 'line_too_long'
      return 'malformed'
    }
    while (this.#at < bytes.length) {
      const kind = this.#take(this.#at)
      if (kind !== null) return kind
    }
    return null
  }

  /** The kind of the line at an offset of the batch, which has this number; null for a blank line or a directive. */
  nextAt(offset: number, line_number: number): LineKind | null {
    this.line_number = line_number - 1
    return this.#take(offset)
  }

  /** Notes that the line before the next one is a plain one that was read elsewhere. */
  passPlainLine(has_tail: boolean): void {
    this.#file.format = combined.name
    this.#had_tail = has_tail
  }

  #take(start: number): LineKind | null {
    const bytes = this.#bytes
    const line_feed = bytes.indexOf(LF, start)
    this.#begin(start, line_feed < 0 ? bytes.length : line_feed)
    if (this.#end === start) return null
    const kind = line_feed < 0 && !this.#terminated ? this.#readLast() : this.#read()
    if (kind === 'record') this.#had_tail = hasTail(this.record)
    return kind
  }

  /** The line as a binary string without its line end; empty if it was too long. Identity hashes use its bytes. */
  line(): string {
    const line = this.#line ?? this.#bytes.toString('latin1', this.#start, this.#end)
    this.#line = line
    return line
  }

  #begin(start: number, end: number): void {
    this.#at = end + 1
    this.#start = start
    this.#end = end > start && this.#bytes[end - 1] === CR ? end - 1 : end
    this.#line = null
    this.line_number += 1
  }

  /** Null for a blank line or a directive. */
  #read(): LineKind | null {
    const line = this.line()
    if (line.length <= LINE_LIMIT && scanCombined(line, 0, line.length, this.record)) {
      this.#file.format = combined.name
      return 'record'
    }
    if (isNoRecord(line)) {
      this.#file.columns = columnsOf(withoutMark(line)) ?? this.#file.columns
      return null
    }
    return this.#readCarefully(line)
  }

  #readCarefully(line: string): LineKind {
    const outcome = line.length > LINE_LIMIT ? 'line_too_long' : this.#judge(line)
    if (outcome === 'sub_request' || outcome === 'server_internal') return outcome
    if (outcome === null) return 'record'
    this.malformed = outcome
    return 'malformed'
  }

  #judge(line: string): LineOutcome {
    const outcome = readLine(line, this.record, this.#file)
    const { status_raw } = this.record
    return outcome === null && status_raw !== null && status_raw > MAX_STATUS ? 'status_invalid' : outcome
  }

  /**
   * Reads a last line without line end, which may not be complete yet. If it were accepted now, the complete line would
   * count again later, as another one. So it is accepted only if its end is certain, and it is like the line before.
   */
  #readLast(): LineKind | null {
    const line = this.line()
    const format_before = this.#file.format
    if (isNoRecord(line)) return null
    const kind = this.#readCarefully(line)
    if (kind === 'record') {
      const is_alike = format_before === this.#file.format && this.#had_tail === hasTail(this.record)
      if (!this.record.cut_off && (is_alike || format_before === null)) return kind
    } else if (kind !== 'malformed' || format_before === null || !MAY_BE_CUT.has(this.malformed)) return kind
    this.malformed = 'line_cut_off'
    return 'malformed'
  }
}

/** Reasons that a line without its end may have. */
const MAY_BE_CUT: ReadonlySet<MalformedCode> = new Set([
  'no_user_agent',
  'no_timestamp',
  'bad_timestamp',
  'no_status',
  'json_broken',
  'columns_unlike_header',
  'unknown_layout',
  'not_an_access_log_line',
])

function hasTail(record: LogRecord): boolean {
  return record.tail_end > record.tail_start
}

/** Reads a line of any layout (binary, without its end) into a record, or returns what it is instead. */
function readLine(line: string, into: LogRecord, file: FileState): LineOutcome {
  let inner = line
  let is_enveloped = false
  for (let layers = 0; layers < MAX_LAYERS; layers += 1) {
    if (JSON_BEGIN.test(inner)) {
      const read = readJsonLine(inner, into, file)
      if (read === null) file.format = 'json'
      if (typeof read !== 'object' || read === null) return read
      inner = read.message
      is_enveloped = true
      continue
    }
    const bare = withoutPrefix(inner)
    if (bare === inner) break
    inner = bare
  }
  const is_plain = inner !== line && scanCombined(inner, 0, inner.length, into)
  const format = is_plain ? combined : (formats.find((one) => one.reads(inner, file)) ?? combined)
  const outcome = is_plain ? null : format.read(inner, into, file)
  if (outcome !== null) return outcome
  if (format.isOfEdge?.(inner, file)) file.sees_edge = true
  file.format = format.name
  // The fields after the agent may be cut, but not in a complete envelope.
  into.cut_off = !is_enveloped && (into.cut_off || hasTail(into))
  return null
}

/** The deepest nesting of envelopes; a line in syslog in JSON in another JSON has less. */
const MAX_LAYERS = 5
const JSON_BEGIN = /^[ \t]*(?:\[\s*)?\{/
const EMPTY = Buffer.alloc(0)
const LF = 10
const CR = 13
const BLANK = 32
const HASH = 35
/** The mark at the beginning of files, also in a log into which several were joined. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf'
const MARK = 0xef
const MAX_DIRECTIVE_LENGTH = 4000

/** Blank lines and directives, which begin with `#`: notes about the file (rules 4). */
function isNoRecord(line: string): boolean {
  const first = line.charCodeAt(0)
  if (first === HASH) return true
  if (first === MARK) return line.startsWith(`${BYTE_ORDER_MARK}#`)
  if (first > BLANK || line.length >= 1000 + MAX_DIRECTIVE_LENGTH) return false
  return /^[ \t]*(?:#|$)/.test(line)
}

function withoutMark(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line
}
