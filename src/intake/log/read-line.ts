/** Reads an access log line by line: the layout is decided anew for every line, so that one file may mix several (decisions 3.4). */
import { combined } from './combined.ts'
import { envoy } from './envoy.ts'
import type { LineFormat } from './format.ts'
import { LINE_LIMIT, type LineBatch } from './lines.ts'
import { proxyManager } from './proxy-manager.ts'
import { emptyRecord, type LogRecord, type MalformedCode } from './record.ts'
import { scanCombined } from './scan-combined.ts'
import { type LocalZone, localZone } from './time.ts'
import { unwrap } from './unwrap.ts'

/** All layouts, the most particular first. A further one is a file of its own and a place in this list. */
export const formats: readonly LineFormat[] = [proxyManager, envoy, combined]

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
  readonly #zone: LocalZone
  #text = ''
  #at = 0
  #start = 0
  #end = 0
  #too_long = false
  #terminated = true

  /** `timezone` is for times that carry no zone themselves: see localZone. */
  constructor(timezone = 'UTC') {
    this.#zone = localZone(timezone)
  }

  load(batch: LineBatch): void {
    this.#text = batch.text
    this.#at = 0
    this.#too_long = batch.too_long
    this.#terminated = batch.terminated
  }

  next(): 'record' | 'malformed' | null {
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
      if (end - start <= LINE_LIMIT && scanCombined(text, start, end, this.record)) return 'record'
      if (isNoRecord(text, start, end)) continue
      return this.#readCarefully(text.slice(start, end), line_feed < 0 && !this.#terminated)
    }
    return null
  }

  /** The line itself as a binary string, without its line end; empty for one that was too long. Identity hashes take its bytes. */
  line(): string {
    return this.#text.slice(this.#start, this.#end)
  }

  #readCarefully(line: string, is_lone_last: boolean): 'record' | 'malformed' {
    const malformed = line.length > LINE_LIMIT ? 'line_too_long' : readLine(line, this.record, this.#zone)
    // A field without its end is a harmless oddity inside a file; on a last line without line end the rest is still being written.
    if (malformed === null && !(is_lone_last && this.record.cut_off)) return 'record'
    this.malformed = malformed ?? 'line_cut_off'
    return 'malformed'
  }
}

/** Reads one line (binary, without line end) into a record, or says why it cannot. The careful way, whatever the layout. */
export function readLine(line: string, into: LogRecord, zone: LocalZone): MalformedCode | null {
  const inner = unwrap(line)
  if (inner !== line && scanCombined(inner, 0, inner.length, into)) return null
  const format = formats.find((one) => one.reads(inner)) ?? combined
  return format.read(inner, into, zone)
}

const CR = 13
const HASH = 35
const DIRECTIVE = /^#(?:Software|Version|Fields|Date|Start-Date|End-Date|Remark|GMT-Offset|SubComponent)\b/i

function isNoRecord(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === HASH) return DIRECTIVE.test(text.slice(start, Math.min(end, start + 20)))
  return end - start < 1000 && /^[ \t]*$/.test(text.slice(start, end))
}
