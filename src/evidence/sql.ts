/** The one way to write SQL: templates whose holes take typed parameters or other fragments, never a bare string. */
import type { Static, TObject } from 'typebox'
import { Fragment } from './fragment.ts'
import { type ListItem, lists, type Parameter } from './parameters.ts'
import { type ReadColumns, rowReader } from './rows/row-schema.ts'

export type { Fragment } from './fragment.ts'
export type { Parameter } from './parameters.ts'
export { day, instant, list, text, tuples, uint, uint64, uint128, uuid } from './parameters.ts'
export { count } from './rows/row-schema.ts'

/** A statement that returns rows: the fragment, and the function that checks the engine's columns. */
export class Statement<T> {
  readonly fragment: Fragment
  readonly readRows: ReadColumns<T>
  constructor(fragment: Fragment, readRows: ReadColumns<T>) {
    this.fragment = fragment
    this.readRows = readRows
  }
}

/** The row type of a statement: `Row<ReturnType<typeof requestCounts>>`. */
export type Row<S> = S extends Statement<infer T> ? T : never

export type Hole = Parameter | Fragment

/** SQL text with typed holes. @throws TypeError for anything that is not a template or whose hole is a bare value. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Hole[]): Fragment {
  if (!Array.isArray(strings) || !Object.isFrozen(strings) || strings.raw.length !== holes.length + 1) {
    throw new TypeError('sql is a template tag: write sql`…`.')
  }
  const parts: (string | Parameter)[] = []
  strings.forEach((text, at) => {
    if (at > 0) parts.push(...Fragment.partsOf(holes[at - 1]))
    parts.push(text)
  })
  return new Fragment(parts)
}

/** A statement that reads rows of this shape: ``rows(RequestCount)`SELECT …` ``. It must select every column. */
export function rows<S extends TObject>(schema: S) {
  return (strings: TemplateStringsArray, ...holes: readonly Hole[]): Statement<Static<S>> =>
    new Statement(sql(strings, ...holes), rowReader(schema))
}

/** All of these; true when there are none. */
export const and = (terms: readonly Fragment[]): Fragment => joined(terms, ' AND ', '1')

/** Any of these; false when there are none. */
export const or = (terms: readonly Fragment[]): Fragment => joined(terms, ' OR ', '0')

/** Whether a column has one of these values, of which there may be more than one list holds. */
export const isOneOf = (column: Fragment, of: ListItem, values: readonly string[]): Fragment =>
  or(lists(of, values).map((part) => sql`${column} IN ${part}`))

/** Settings at the end of a statement that uses one thread, so that answers or parallel statements have the others. */
export const ONE_THREAD: Fragment = sql`
  SETTINGS max_threads = 1`

/** All rows of these selects; `false` stands for one that is not needed. @throws Error if none is needed. */
export function unionAll(selects: readonly (Fragment | false)[]): Fragment {
  const [first, ...others] = selects.filter((select) => select !== false)
  if (first === undefined) throw new Error('There is nothing to read: check that the scope is not empty first.')
  return others.reduce((all, select) => sql`${all}\n  UNION ALL${select}`, first)
}

function joined(terms: readonly Fragment[], word: string, none: string): Fragment {
  const [only] = terms
  if (only === undefined) return new Fragment([none])
  if (terms.length === 1) return sql`(${only})`
  const parts = terms.flatMap((term, at) => [at === 0 ? '(' : `${word}(`, ...Fragment.partsOf(term), ')'])
  return new Fragment(['(', ...parts, ')'])
}
