/** Reads CSV (RFC 4180): quoted fields may contain separators, line ends and doubled quotes. */

export interface CsvRecord {
  /** Line on which the record begins, from 1. */
  line: number
  fields: readonly string[]
}

/**
 * The records of a text, header included; empty lines are left out. Fields end at `separator`, one character. A quote
 * that is never closed ends with the text.
 */
export function* csvRecords(text: string, separator: ',' | ';' = ','): Generator<CsvRecord> {
  let fields: string[] = []
  let [line, first_line] = [1, 1]
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const field = fieldAt(text, at, ENDS[separator])
    fields.push(field.value)
    line += field.line_ends
    at = field.end
    const ended_by = text.charAt(at)
    at += ended_by === '\r' && text.charAt(at + 1) === '\n' ? 2 : 1
    if (ended_by === separator && at < text.length) continue
    if (ended_by === separator) fields.push('')
    if (fields.length > 1 || fields[0] !== '') yield { line: first_line, fields }
    fields = []
    line += 1
    first_line = line
  }
}

const ENDS = { ',': /[,\r\n]/g, ';': /[;\r\n]/g }

function fieldAt(text: string, from: number, end_of_field: RegExp): { value: string; end: number; line_ends: number } {
  if (text.charAt(from) !== '"') {
    end_of_field.lastIndex = from
    const found = end_of_field.exec(text)
    const end = found === null ? text.length : found.index
    return { value: text.slice(from, end), end, line_ends: 0 }
  }
  let close = text.indexOf('"', from + 1)
  while (close !== -1 && text.charAt(close + 1) === '"') close = text.indexOf('"', close + 2)
  const end = close === -1 ? text.length : close
  const value = text.slice(from + 1, end).replaceAll('""', '"')
  return { value, end: Math.min(text.length, end + 1), line_ends: value.split('\n').length - 1 }
}
