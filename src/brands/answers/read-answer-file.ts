/** Reads a file of answers: JSON, NDJSON or CSV, of the form `spoor.answers/1` or as another tool exports it. */

import type { AnswerExporter, AnswerFormat } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { itemsAt, memberAt, textAt } from '#json-members.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { type AnswerRecord, RecordFault } from './answer-record.ts'
import { csvRecords, separatorOf } from './csv-records.ts'
import { EXPORTER_MAPPINGS, itemsOfExport } from './exporters.ts'
import { readAnswerRecord } from './read-answer-record.ts'

export const MAX_ANSWER_FILE_BYTES = 64 * 1024 ** 2
const MAX_RECORDS = 200_000
const FORMAT = 'spoor.answers/1'

/**
 * One record of a file: an answer, or why it is refused. `place` is the line of NDJSON and CSV, the number of a list;
 * from 1.
 */
export type ReadRecord =
  | { place: number; record: AnswerRecord }
  | { place: number; external_id: string | null; fault: RecordFault }

export interface AnswerFileInput {
  bytes: Buffer
  format: AnswerFormat
  /** The tool that wrote it; null: a file of our own form. */
  exporter: AnswerExporter | null
  /** Of the brand that the answers are about. */
  brand_name: string
  now: number
}

/** Converts an item of another tool into a raw record; null: the file has Spoor's own format. */
type Export = { tool: AnswerExporter; brand_name: string } | null

interface RawRecord {
  place: number
  /** The raw record, or its fault. */
  raw: unknown
}

/** All records in the order of the file. @throws Refusal not_readable (the file as a whole), too_large. */
export function* readAnswerFile({ bytes, format, exporter, brand_name, now }: AnswerFileInput): Generator<ReadRecord> {
  if (bytes.length > MAX_ANSWER_FILE_BYTES) {
    throw new Refusal(
      'too_large',
      `The file has ${formatCount(bytes.length)} bytes; at most ${formatCount(MAX_ANSWER_FILE_BYTES)} are allowed: split it.`,
    )
  }
  const from = exporter === null ? null : { tool: exporter, brand_name }
  let count = 0
  for (const { place, raw } of READERS[format](decode(bytes), from)) {
    count += 1
    if (count > MAX_RECORDS)
      throw new Refusal('too_large', `The file has more than ${formatCount(MAX_RECORDS)} records: split it.`)
    yield readOne(place, raw, now)
  }
}

function readOne(place: number, raw: unknown, now: number): ReadRecord {
  try {
    if (raw instanceof RecordFault) throw raw
    return { place, record: readAnswerRecord(raw, { now }) }
  } catch (fault) {
    if (!(fault instanceof RecordFault)) throw fault
    return { place, external_id: textAt(raw, 'external_id'), fault }
  }
}

const READERS = { json: readJson, ndjson: readNdjson, csv: readCsv }

function* readJson(text: string, from: Export): Generator<RawRecord> {
  const json = parseOrRefuse(text)
  if (from === null && textAt(json, 'format') !== FORMAT) {
    const format = textAt(json, 'format')
    const found = format === null ? 'It has no format' : `Its format is ${quoted(format)}`
    throw unreadable(`${found}; only "${FORMAT}" is read. Name the tool that exported it, or convert it.`)
  }
  if (from === null && !Array.isArray(memberAt(json, 'answers')))
    throw unreadable('Its member "answers" is not a list.')
  const items = from === null ? itemsAt(json, 'answers') : itemsOfExport(json)
  for (const [index, item] of items.entries()) yield { place: index + 1, raw: rawRecord(item, json, from) }
}

function* readNdjson(text: string, from: Export): Generator<RawRecord> {
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const item = parseLine(line)
    yield { place: index + 1, raw: item instanceof RecordFault ? item : rawRecord(item, null, from) }
  }
}

/** @param context the file that contains the item; null if it has no members. */
function rawRecord(item: unknown, context: unknown, from: Export): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return new RecordFault('unreadable', 'The record is not an object.')
  }
  if (from !== null) {
    return { ...EXPORTER_MAPPINGS[from.tool](item, context, from.brand_name), source_tool: from.tool }
  }
  return { ...item, source_tool: memberAt(item, 'source_tool') ?? textAt(context, 'source', 'tool') }
}

/** Columns of Spoor's own format, by the kind of their cells. */
const COLUMNS: Readonly<Record<string, 'text' | 'whole' | 'truth' | 'json'>> = {
  external_id: 'text',
  question: 'text',
  question_external_id: 'text',
  country: 'text',
  language: 'text',
  tags_json: 'json',
  persona: 'text',
  engine: 'text',
  surface: 'text',
  provider: 'text',
  model: 'text',
  asked_at: 'text',
  asked_at_precision: 'text',
  run: 'whole',
  state: 'text',
  failure_code: 'text',
  failure_message: 'text',
  text: 'text',
  text_truncated: 'truth',
  web_search: 'text',
  search_queries_json: 'json',
  citations_json: 'json',
  sources_json: 'json',
  reported_mentions_json: 'json',
  cost_amount_micros: 'whole',
  cost_currency: 'text',
  input_tokens: 'whole',
  output_tokens: 'whole',
  searches: 'whole',
  source_tool: 'text',
}
const REQUIRED_COLUMNS = ['question', 'engine', 'asked_at', 'state']

function* readCsv(text: string, from: Export): Generator<RawRecord> {
  if (from !== null && from.tool !== 'canonry') {
    throw unreadable(`${from.tool} is imported from its JSON: save the answer of its API.`)
  }
  let header: readonly string[] | null = null
  for (const { line, fields, fault } of csvRecords(text, separatorOf(text))) {
    if (header === null) {
      if (fault !== null) throw unreadable(fault)
      header = fields
      if (from === null) refuseHeader(header)
    } else if (fault !== null) {
      yield { place: line, raw: new RecordFault('unreadable', fault) }
    } else if (fields.length !== header.length) {
      const counts = `The record has ${fields.length} fields, and the header ${header.length}.`
      yield { place: line, raw: new RecordFault('unreadable', counts) }
    } else yield { place: line, raw: readRow(header, fields, from) }
  }
  if (header === null) throw unreadable('The file is empty.')
}

function refuseHeader(header: readonly string[]): void {
  const unknown = header.filter((name) => !Object.hasOwn(COLUMNS, name))
  const missing = REQUIRED_COLUMNS.filter((name) => !header.includes(name))
  if (unknown.length > 0) throw unreadable(`It has unknown columns: ${unknown.map(quoted).join(', ')}.`)
  if (missing.length > 0) throw unreadable(`It lacks columns: ${missing.join(', ')}.`)
  if (new Set(header).size < header.length) throw unreadable('It has a column twice.')
}

/** An empty cell means unknown; `[]` means that there was none. */
function readRow(header: readonly string[], fields: readonly string[], from: Export): unknown {
  try {
    const cells = Object.fromEntries(header.map((name, index) => [name, readCell(name, fields[index] as string, from)]))
    if (from !== null) return rawRecord(camelCased(cells), null, from)
    return { ...withoutSuffixes(cells), ...nested(cells) }
  } catch (fault) {
    if (fault instanceof RecordFault) return fault
    throw fault
  }
}

function readCell(name: string, cell: string, from: Export): unknown {
  const plain = /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell
  if (plain === '') return null
  const kind = from === null ? COLUMNS[name] : exportedKind(name)
  if (kind === 'text') return plain
  // Spreadsheets and Python write `TRUE` and `True`.
  const value = parseLine(kind === 'truth' ? plain.toLowerCase() : plain)
  const { words, holds } = KINDS[kind as keyof typeof KINDS]
  if (!(value instanceof RecordFault) && holds(value)) return value
  throw new RecordFault('invalid', `${name} is ${quoted(plain)}, which is not ${words}.`)
}

/** The kind of a column of an exporting tool, whose own names are not known. */
const exportedKind = (name: string) => (name.endsWith('_json') ? 'json' : 'text')

/** What the cells of a column that is not text hold. */
const KINDS = {
  json: { words: 'JSON', holds: (_value: unknown) => true },
  whole: { words: 'a number', holds: (value: unknown) => typeof value === 'number' },
  truth: { words: 'true or false', holds: (value: unknown) => typeof value === 'boolean' },
}

const withoutSuffixes = (cells: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(cells).map(([name, value]) => [name.replace(/_json$/, ''), value]))

const nested = (cells: Record<string, unknown>) => ({
  failure: { code: cells.failure_code, message: cells.failure_message },
  cost: { amount_micros: cells.cost_amount_micros, currency: cells.cost_currency },
  usage: { input_tokens: cells.input_tokens, output_tokens: cells.output_tokens, searches: cells.searches },
})

/** Canonry's CSV has its JSON's members in snake case, lists as `*_json`. */
const camelCased = (cells: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [
      name.replace(/_json$/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

function parseOrRefuse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal('not_readable', 'The file is not JSON: check that it is whole, or name its format.', { cause })
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new RecordFault('unreadable', 'The line is not JSON.')
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Refusal('not_readable', 'The file is not UTF-8: convert it first.', { cause })
  }
}

const unreadable = (detail: string) => new Refusal('not_readable', `The file cannot be read. ${detail}`)
