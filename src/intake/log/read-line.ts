/** Reads an access log line by line: the layout is decided anew for every line, so that one file may mix several (decisions 3.4). */
import { columnsOf } from './columns.ts'
import { combined } from './combined.ts'
import type { FileState, IgnoredKind, Outcome } from './format.ts'
import { formats } from './formats.ts'
import { readJsonLine } from './json-line.ts'
import { LINE_LIMIT, type LineBatch } from './lines.ts'
import { RecentIds } from './recent-ids.ts'
import { emptyRecord, type LogRecord, type MalformedCode } from './record.ts'
import { scanCombined } from './scan-combined.ts'
import { localZone } from './time.ts'
import { withoutPrefix } from './unwrap.ts'

/** What a line is. Ignored kinds leave only the record's time. */
export type LineKind = 'record' | 'malformed' | IgnoredKind

/**
 * Walks the lines of one file. `load` takes a batch; `next` goes on to the next line of it and says what it is; null when the
 * batch is used up. Blank lines and directives (`#Fields:` …) are passed over but counted in `line_number`.
 * The record is one object, overwritten by each `next`.
 */
export class LogReader {
  readonly record: LogRecord = emptyRecord()
  /** Why the line is malformed; meaningful after `next` answered 'malformed'. */
  malformed: MalformedCode = 'not_an_access_log_line'
  /** 1-based number of the line that `next` answered for. */
  line_number = 0
  readonly #file: FileState
  /** The line before had a quote: else the fast path would search the whole batch for one. */
  #quotes = true
  #text = ''
  #at = 0
  #start = 0
  #end = 0
  #too_long = false
  #terminated = true

  /** `timezone` is for times that carry no zone themselves: see localZone. */
  constructor(timezone = 'UTC') {
    this.#file = { zone: localZone(timezone), columns: null, format: null, requests: new RecentIds() }
  }

  load(batch: LineBatch): void {
    this.#text = batch.text
    this.#at = 0
    this.#too_long = batch.too_long
    this.#terminated = batch.terminated
  }

  next(): LineKind | null {
    const text = this.#text
    if (this.#too_long) {
      this.#too_long = false
      this.#start = 0
      this.#end = 0
      this.line_number += 1
      this.malformed = 'line_too_long'
      return 'malformed'
    }
    while (this.#at < text.length) {
      const start = this.#at
      const line_feed = text.indexOf('\n', start)
      let end = line_feed < 0 ? text.length : line_feed
      this.#at = end + 1
      this.line_number += 1
      if (end > start && text.charCodeAt(end - 1) === CR) end -= 1
      if (end === start) continue
      this.#start = start
      this.#end = end
      if (line_feed < 0 && !this.#terminated) return this.#readLast()
      if (end - start <= LINE_LIMIT && (this.#quotes || this.line().includes('"'))) {
        if (scanCombined(text, start, end, this.record)) {
          this.#quotes = true
          this.#file.format = combined.name
          return 'record'
        }
      }
      if (isNoRecord(text, start, end)) {
        this.#file.columns = columnsOf(this.line()) ?? this.#file.columns
        continue
      }
      return this.#readCarefully(this.line())
    }
    return null
  }

  /** The line itself as a binary string, without its line end; empty for one that was too long. Identity hashes take its bytes. */
  line(): string {
    return this.#text.slice(this.#start, this.#end)
  }

  #readCarefully(line: string): LineKind {
    this.#quotes = line.includes('"')
    const outcome = line.length > LINE_LIMIT ? 'line_too_long' : readLine(line, this.record, this.#file)
    if (outcome === 'sub_request' || outcome === 'server_internal') return outcome
    if (outcome === null) return 'record'
    this.malformed = outcome
    return 'malformed'
  }

  /**
   * A file's last line without line end, whose rest may still be on its way. Taken before it is whole it would be counted again, as
   * another line, once it is; so it is taken only where its own end shows, and where it looks like the line before it.
   */
  #readLast(): LineKind | null {
    const format_before = this.#file.format
    const had_tail = hasTail(this.record)
    if (isNoRecord(this.#text, this.#start, this.#end)) return null
    const kind = this.#readCarefully(this.line())
    if (kind === 'record') {
      const is_alike = format_before === this.#file.format && had_tail === hasTail(this.record)
      if (!this.record.cut_off && (is_alike || format_before === null)) return kind
    } else if (kind !== 'malformed' || format_before === null || !MAY_BE_CUT.has(this.malformed)) return kind
    this.malformed = 'line_cut_off'
    return 'malformed'
  }
}

/** What a line that lacks its end may be taken for. */
const MAY_BE_CUT: ReadonlySet<MalformedCode> = new Set([
  'no_user_agent',
  'no_timestamp',
  'bad_timestamp',
  'no_status',
  'json_broken',
  'columns_unlike_header',
  'not_an_access_log_line',
])

function hasTail(record: LogRecord): boolean {
  return record.tail_end > record.tail_start
}

/** Reads one line (binary, without line end) into a record, or says what it is instead. The careful way, whatever the layout. */
function readLine(line: string, into: LogRecord, file: FileState): Outcome {
  let inner = line
  let is_enveloped = false
  for (let layers = 0; layers < MOST_LAYERS; layers += 1) {
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
  file.format = format.name
  // What follows the agent may go on, but not in an envelope that is whole.
  into.cut_off = !is_enveloped && (into.cut_off || hasTail(into))
  return null
}

/** A line in syslog in JSON in another carrier's JSON has fewer. */
const MOST_LAYERS = 5
const JSON_BEGIN = /^[ \t]*(?:\[\s*)?\{/
const CR = 13
const BLANK = 32
const HASH = 35
const LONGEST_DIRECTIVE = 4000
const DIRECTIVE = /^#(?:Software|Version|Fields|Date|Start-Date|End-Date|Remark|GMT-Offset|SubComponent)\b/i

function isNoRecord(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if (first === HASH) return DIRECTIVE.test(text.slice(start, Math.min(end, start + 20)))
  if (first > BLANK || end - start >= 1000 + LONGEST_DIRECTIVE) return false
  return /^[ \t]*$/.test(text.slice(start, end)) || DIRECTIVE.test(text.slice(start, end).trimStart())
}
