/** Reads CSV (RFC 4180): quoted fields may contain separators, line ends and doubled quotes. */

export interface CsvRecord {
  /** Line on which the record begins, from 1. */
  line: number
  fields: readonly string[]
  /** Why its fields are not known for sure, as a sentence; null: they are. */
  fault: string | null
}

/**
 * The records of a text, header included; empty lines are left out. Fields end at `separator`, one character. A quote
 * that is never closed takes the rest of the text into its record, which has a fault then.
 */
export function* csvRecords(text: string, separator: ',' | ';' = ','): Generator<CsvRecord> {
  let fields: string[] = []
  let fault: string | null = null
  let [line, first_line] = [1, 1]
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    const field = fieldAt(text, at, ENDS[separator])
    fields.push(field.value)
    if (field.is_open)
      fault ??= `The quotation mark on line ${line} is never closed: the rest of the file belongs to it.`
    else if (field.has_more) fault ??= `Text follows a closing quotation mark on line ${line + field.line_ends}.`
    line += field.line_ends
    at = field.end
    const ended_by = text.charAt(at)
    at += ended_by === '\r' && text.charAt(at + 1) === '\n' ? 2 : 1
    if (ended_by === separator && at < text.length) continue
    if (ended_by === separator) fields.push('')
    if (fields.length > 1 || fields[0] !== '' || fault !== null) yield { line: first_line, fields, fault }
    fields = []
    fault = null
    line += 1
    first_line = line
  }
}

/** A comma, or a semicolon where the header has no comma, as spreadsheets write it in many countries. */
export function separatorOf(text: string): ',' | ';' {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  return header.includes(';') && !header.includes(',') ? ';' : ','
}

const ENDS = { ',': /[,\r\n]/g, ';': /[;\r\n]/g }

interface Field {
  value: string
  /** Where the field ends in the text. */
  end: number
  line_ends: number
  /** Its quote is never closed. */
  is_open: boolean
  /** Its closing quote is not its end. */
  has_more: boolean
}

function fieldAt(text: string, from: number, end_of_field: RegExp): Field {
  if (text.charAt(from) !== '"') {
    const end = endOf(text, from, end_of_field)
    return { value: text.slice(from, end), end, line_ends: 0, is_open: false, has_more: false }
  }
  let close = text.indexOf('"', from + 1)
  while (close !== -1 && text.charAt(close + 1) === '"') close = text.indexOf('"', close + 2)
  const is_open = close === -1
  const value = text.slice(from + 1, is_open ? text.length : close).replaceAll('""', '"')
  const end = is_open ? text.length : endOf(text, close + 1, end_of_field)
  return { value, end, line_ends: value.split('\n').length - 1, is_open, has_more: !is_open && end > close + 1 }
}

function endOf(text: string, from: number, end_of_field: RegExp): number {
  end_of_field.lastIndex = from
  return end_of_field.exec(text)?.index ?? text.length
}
