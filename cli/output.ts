/** Results go to standard output, everything else to standard error. */
import { withoutControlCharacters } from '#names.ts'
import { commandHost } from './host/command-host.ts'
import { asTypedHere } from './host/program-name.ts'

/** Prints, and waits until the operating system has the text; rejects if the reader of the stream has ended. */
export function printed(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    commandHost().stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()))
  })
}

/** A value as indented JSON. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** Prints a value as JSON on standard output. */
export function printJson(value: unknown): void {
  printLine(jsonText(value))
}

/** Prints a line on standard output. */
export function printLine(text = ''): void {
  commandHost().stdout.write(`${text}\n`)
}

/** Prints text for a person. What others wrote stands in it, such as paths: they must not command the terminal. */
export function printText(text: string): void {
  const parts = text.replaceAll('\r\n', '\n').split(HARMLESS)
  printLine(parts.map((part, at) => (at % 2 === 1 ? part : withoutControlCharacters(part))).join(''))
}

/** Tabs, and the emphasis of cli/page-style.ts. */
const HARMLESS = new RegExp(`(\t|${RegExp.escape('\u{1b}[')}[012]m)`, 'u')

/**
 * A notice beside the result, whose commands can be typed as they are; with `json` one line of JSON, because scripts
 * read standard error line by line (docs/operating/scripts.md).
 */
export function note(text: string, json = false): void {
  const typed = asTypedHere(text)
  if (json) noteJson({ notice: { kind: 'note', message: typed } })
  else commandHost().stderr.write(`${typed}\n`)
}

/** The same for scripts, in one line. */
export function noteJson(value: unknown): void {
  commandHost().stderr.write(`${JSON.stringify(value)}\n`)
}

/** Lines of text; what a condition leaves out is null. */
export function lines(...each: readonly (string | null)[]): string {
  return each.filter((line) => line !== null).join('\n')
}

/** The text of a cell: a field of the row, a field with a text for null, or a function of the row. */
type Cell<Row> = (keyof Row & string) | readonly [field: keyof Row & string, absent: string] | ((row: Row) => string)

/** Each column's cell, by its heading. */
type Columns<Row> = Readonly<Record<string, Cell<Row>>>

/** Rows as aligned columns under their headings. */
export function table<Row extends object>(rows: readonly Row[], columns: Columns<Row>): string {
  const headings = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => cellText(row, cell)))
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => (row[column] as string).length)),
  )
  const aligned = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ')
  return [headings, ...cells].map((row) => aligned(row).trimEnd()).join('\n')
}

/** The same; without rows, the text `empty`, which may name a command. */
export function tableOr<Row extends object>(empty: string, rows: readonly Row[], columns: Columns<Row>): string {
  return rows.length === 0 ? asTypedHere(empty) : table(rows, columns)
}

/** The text of a cell for a fact; a dash if it is unknown. */
export function yesOrNo(is_so: boolean | null): string {
  if (is_so === null) return '-'
  return is_so ? 'yes' : 'no'
}

function cellText<Row>(row: Row, cell: Cell<Row>): string {
  if (typeof cell === 'function') return cell(row)
  if (typeof cell === 'string') return String(row[cell])
  const [field, absent] = cell
  return String(row[field] ?? absent)
}
