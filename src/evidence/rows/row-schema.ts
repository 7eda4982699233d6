/** Checks rows against the schema of their statement, column by column, because the engine returns columns. */
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { EvidenceError } from '../errors.ts'

/** Columns by name, as the engine's JSONColumns format gives them. */
export type Columns = Readonly<Record<string, unknown>>
export type ReadColumns<T> = (columns: Columns) => T[]

/** A 64-bit count that must be an exact JavaScript number: above 2^53 - 1 it is refused, never rounded. */
export const count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, [COUNT]: true })

const COUNT = 'spoor_count'

/**
 * Compiles, once per schema, how columns become checked rows. @throws EvidenceError bug: they do not fit the schema.
 */
export function rowReader<S extends TObject>(schema: S): ReadColumns<Static<S>> {
  const known = readers.get(schema)
  if (known !== undefined) return known as ReadColumns<Static<S>>
  const columns = Object.entries<TSchema>(schema.properties).map(([name, type]) => columnReader(name, type))
  const read: ReadColumns<Static<S>> = (answer) => zip(columns.map((column) => column(answer)))
  readers.set(schema, read as ReadColumns<unknown>)
  return read
}

const readers = new WeakMap<TObject, ReadColumns<unknown>>()

interface Column {
  name: string
  values: readonly unknown[]
}

function columnReader(name: string, type: TSchema): (answer: Columns) => Column {
  const isCount = holdsCount(type)
  const values = Compile(Type.Array(type))
  return (answer) => {
    const column = answer[name]
    const read = isCount && Array.isArray(column) ? column.map(countOf) : column
    if (values.Check(read)) return { name, values: read }
    const [first] = values.Errors(read)
    throw new EvidenceError(
      'bug',
      `Column ${name} does not fit the schema of its statement: ${first?.instancePath ?? ''} ${first?.message ?? 'missing'}.`,
    )
  }
}

function holdsCount(type: TSchema): boolean {
  if (COUNT in type) return true
  return 'anyOf' in type && Array.isArray(type.anyOf) && type.anyOf.some((one: TSchema) => holdsCount(one))
}

/** Converts digits only: an empty text must fail the check instead of becoming 0. */
function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? Number(value) : value
}

function zip<T>(columns: readonly Column[]): T[] {
  const length = columns[0]?.values.length
  if (length === undefined) throw new EvidenceError('bug', 'A row schema needs at least one column.')
  const uneven = columns.find((column) => column.values.length !== length)
  if (uneven !== undefined) throw new EvidenceError('bug', `Column ${uneven.name} has another length than the others.`)
  const rows = new Array<T>(length)
  for (let at = 0; at < length; at++) {
    const row: Record<string, unknown> = {}
    for (const { name, values } of columns) row[name] = values[at]
    rows[at] = row as T
  }
  return rows
}
