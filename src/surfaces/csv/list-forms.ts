/**
 * CSV forms of answers that are lists: each field of the answer is written as records of one kind, each item as JSON.
 * One declaration per operation says which (spec 4.3); fields that it does not know are on the meta record.
 */
import { type Cells, json } from './write-cells.ts'

export type ListedObject = Readonly<Record<string, unknown>>

export interface RecordForm {
  record: string
  /** The answer's field: an object is one record, a list one record per item, null one record that says `null`. */
  field: string
  /** Where its JSON stands. */
  column: string
  /** Text fields of an item that have columns of their own, and are not in its JSON. */
  text?: readonly string[]
  /** Lists within items, with records of their own that follow those of all items. */
  lists?: readonly InnerList[]
}

export interface InnerList {
  record: string
  field: string
  column: string
  /** How a record names the item it belongs to; left out where there is one item only. */
  owner?: { key: string; column: string }
}

export interface ListedForm {
  columns: readonly string[]
  /** Column in which the meta record carries top-level fields that have no record; it is empty when there are none. */
  rest: string
  records: readonly RecordForm[]
}

/** The records of an answer, in the order of the form. */
export function* listedRecords({ rest, records }: ListedForm, answer: ListedObject): Generator<Cells> {
  const known = new Set(['meta', ...records.map(({ field }) => field)])
  const others = Object.entries(answer).filter(([field]) => !known.has(field))
  yield {
    record_type: 'meta',
    meta_json: json(answer.meta),
    ...(others.length === 0 ? {} : { [rest]: json(Object.fromEntries(others)) }),
  }
  for (const form of records) {
    if (form.field in answer) yield* recordsOf(form, answer[form.field])
  }
}

function* recordsOf(form: RecordForm, value: unknown): Generator<Cells> {
  const items = Array.isArray(value) ? value : [value]
  for (const item of items) yield itemRecord(form, item)
  for (const list of form.lists ?? []) {
    for (const item of items.filter(isObject)) yield* innerRecords(list, item)
  }
}

function itemRecord({ record, column, text = [], lists = [] }: RecordForm, item: unknown): Cells {
  if (!isObject(item)) return { record_type: record, [column]: json(item) }
  // Values that are neither texts nor lists stay in the JSON, because a column could not distinguish them.
  const asText = text.filter((field) => typeof item[field] === 'string')
  const apart = new Set([...asText, ...lists.map(({ field }) => field).filter((field) => Array.isArray(item[field]))])
  return {
    record_type: record,
    ...Object.fromEntries(asText.map((field) => [field, String(item[field])])),
    [column]: json(Object.fromEntries(Object.entries(item).filter(([field]) => !apart.has(field)))),
  }
}

function* innerRecords({ record, field, column, owner }: InnerList, item: ListedObject): Generator<Cells> {
  const list = item[field]
  if (!Array.isArray(list)) return
  for (const inner of list) {
    if (owner === undefined) yield { record_type: record, [column]: json(inner) }
    else {
      const named = { [owner.key]: item[owner.key] }
      yield owner.column === column
        ? { record_type: record, [column]: json({ ...named, [record]: inner }) }
        : { record_type: record, [owner.column]: json(named), [column]: json(inner) }
    }
  }
}

/** Whether a value is an object, not a list. */
export const isObject = (value: unknown): value is ListedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
