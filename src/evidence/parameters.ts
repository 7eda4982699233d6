/** Typed values for SQL. A hole of a `sql` template accepts only these and other fragments. */

/** A value with its engine type, written the way `{name:Type}` placeholders read it (tab-separated escapes). */
export class Parameter {
  readonly type: string
  readonly text: string
  // A private member rejects objects of the same shape at compile time, `instanceof` at run time.
  readonly #made = true
  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
  static is(value: unknown): value is Parameter {
    return typeof value === 'object' && value !== null && #made in value
  }
}

/**
 * TRICKY: an array parameter of more than 1 MiB can block the engine for ever, so lists are far shorter
 * ("a list longer than the engine accepts is refused"). Stage longer ones in a table.
 */
export const MAX_LIST_ITEMS = 10_000
export const MAX_LIST_CHARACTERS = 400_000

/** A UUID, in either case. */
export const uuid = (value: string): Parameter => new Parameter('UUID', uuidText(value))

/** A UTC day, `YYYY-MM-DD`. */
export const day = (value: string): Parameter => new Parameter('Date', dayText(value))

/** An instant in epoch milliseconds, UTC. */
export const instant = (ms: number): Parameter => new Parameter("DateTime64(3, 'UTC')", instantText(ms))

/** Any text. Text that is not well-formed Unicode has its broken parts replaced by U+FFFD. */
export const text = (value: string): Parameter => new Parameter('String', escapeText(stringOf(value)))

/** A safe integer of 0 or more. */
export const uint = (value: number): Parameter => new Parameter('UInt64', unsigned(value, 64n))

/** A 64-bit key; as decimal text or bigint where it may pass 2^53. */
export const uint64 = (value: string | number | bigint): Parameter => new Parameter('UInt64', unsigned(value, 64n))

/** A 128-bit key, as decimal text or bigint. */
export const uint128 = (value: string | bigint): Parameter => new Parameter('UInt128', unsigned(value, 128n))

export type ListItem = 'UUID' | 'Date' | 'String' | 'UInt8' | 'UInt16' | 'UInt32' | 'UInt64' | 'UInt128'
type Item = string | number | bigint

/** A list for `column IN ${list('UUID', ids)}`; an empty list matches nothing. @throws RangeError over 10,000 items. */
export function list(of: ListItem, items: readonly Item[]): Parameter {
  return arrayOf(of, items.map(elementOf(of)))
}

/** Splits values into lists that are short enough for a statement; without values, into one empty list. */
export function lists(of: ListItem, items: readonly Item[]): Parameter[] {
  const parts: string[][] = [[]]
  let characters = 0
  for (const written of items.map(elementOf(of))) {
    const part = parts.at(-1) as string[]
    // Beside each value stands a comma or a bracket, and one bracket is left.
    if (part.length === MAX_LIST_ITEMS || characters + written.length + 2 > MAX_LIST_CHARACTERS) {
      parts.push([written])
      characters = 0
    } else part.push(written)
    characters += written.length + 1
  }
  return parts.map((part) => arrayOf(of, part))
}

/**
 * A list for `(day, build) IN ${tuples('Tuple(Date, UInt64)', rows)}`; each row holds one value per member of the
 * tuple.
 * @throws RangeError over 10,000 rows.
 */
export function tuples(of: `Tuple(${string})`, rows: readonly (readonly Item[])[]): Parameter {
  const members = of.slice('Tuple('.length, -1).split(',')
  const elements = members.map((member) => elementOf(member.trim()))
  const written = rows.map((row) => {
    if (row.length !== elements.length) throw new TypeError(`A row of ${of} has ${row.length} values.`)
    return `(${row.map((value, at) => elements[at]?.(value)).join(',')})`
  })
  return arrayOf(of, written)
}

function arrayOf(of: string, written: readonly string[]): Parameter {
  const text = `[${written.join(',')}]`
  if (written.length <= MAX_LIST_ITEMS && text.length <= MAX_LIST_CHARACTERS) return new Parameter(`Array(${of})`, text)
  throw new RangeError(
    `A list of ${written.length} values in ${text.length} characters is too long for a statement: ` +
      `at most ${MAX_LIST_ITEMS} values and ${MAX_LIST_CHARACTERS} characters.`,
  )
}

/** How a value is written inside an array or tuple, where text and dates are quoted. */
function elementOf(of: string): (value: Item) => string {
  const bits = /^UInt(8|16|32|64|128)$/.exec(of)?.[1]
  if (bits !== undefined) return (value) => unsigned(value, BigInt(bits))
  if (of === 'UUID') return (value) => `'${uuidText(stringOf(value))}'`
  if (of === 'Date') return (value) => `'${dayText(stringOf(value))}'`
  if (of === 'String') return (value) => `'${escapeText(stringOf(value)).replaceAll("'", "\\'")}'`
  throw new TypeError(`${of} is not a type for the values of a list.`)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function uuidText(value: string): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase()
  throw new TypeError(`${JSON.stringify(value)} is not a UUID.`)
}

function dayText(value: string): string {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  const at = isDay ? Date.parse(`${value}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) return value
  throw new TypeError(`${JSON.stringify(value)} is not a UTC day (YYYY-MM-DD).`)
}

function instantText(ms: number): string {
  if (!Number.isSafeInteger(ms)) throw new TypeError(`${ms} is not an instant in whole milliseconds.`)
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
}

function unsigned(value: Item, bits: bigint): string {
  if (typeof value === 'string' && isPlainNumber(value, bits)) return value
  const isDecimal = typeof value === 'string' ? /^\d{1,39}$/.test(value) : typeof value === 'bigint'
  if (isDecimal || Number.isSafeInteger(value)) {
    const number = BigInt(value)
    if (number >= 0n && number < 1n << bits) return number.toString()
  }
  throw new TypeError(`${String(value)} is not a whole number of ${bits} bits.`)
}

/**
 * Whether a text is a decimal that fits, without leading zeros. Thousands of keys need no conversion to numbers then.
 */
function isPlainNumber(value: string, bits: bigint): boolean {
  const max = MAX_INTEGERS[Number(bits)]
  if (max === undefined || !/^[1-9]\d{0,38}$/.test(value)) return false
  return value.length < max.length || (value.length === max.length && value <= max)
}

const MAX_INTEGERS: Readonly<Record<number, string>> = {
  64: (2n ** 64n - 1n).toString(),
  128: (2n ** 128n - 1n).toString(),
}

function stringOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  throw new TypeError(`${String(value)} is not a text.`)
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function escapeText(value: string): string {
  return value.replace(ESCAPED, (character) => ESCAPES[character] ?? character)
}

const ESCAPED = new RegExp(
  `[${Object.keys(ESCAPES)
    .map((key) => `\\x${key.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .join('')}]`,
  'g',
)

/** A string literal, for the adapters, which send some values within the text of a statement. */
export const sqlString = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
