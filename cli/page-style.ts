/** The layout of a page of text for people: its width, emphasis, numbers, days, and rows of columns. */
import { wantsColour } from '#config.ts'
import { withoutControlCharacters } from '#names.ts'
import { formatCount } from '#quantities.ts'
import { commandHost } from './host/command-host.ts'
import { asTypedHere } from './host/program-name.ts'

export interface PageStyle {
  /** Characters in a line. */
  readonly width: number
  /** Emphasis by escape codes, or the text unchanged if the output is not a terminal. */
  readonly is_coloured: boolean
}

const PLAIN_WIDTH = 80
const MIN_WIDTH = 40
const MAX_WIDTH = 100

/** The style of standard output: 80 plain columns unless it is a terminal. */
export function outputStyle(): PageStyle {
  const { stdout, environment } = commandHost()
  if (stdout.isTTY !== true) return { width: PLAIN_WIDTH, is_coloured: false }
  const columns = stdout.columns ?? PLAIN_WIDTH
  return { width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)), is_coloured: wantsColour(environment) }
}

/** A heading, bold where the terminal has colours. */
export const heading = ({ is_coloured }: PageStyle, text: string) => (is_coloured ? `\u{1b}[1m${text}\u{1b}[0m` : text)
/** Secondary text, faint where the terminal has colours. */
export const faint = ({ is_coloured }: PageStyle, text: string) => (is_coloured ? `\u{1b}[2m${text}\u{1b}[0m` : text)

/** A count with thousands separators, or `unknown`. */
export const countText = (count: number | null): string => (count === null ? 'unknown' : formatCount(count))

/** A share as a percentage; `<1%` if it rounds to zero but is not zero. */
export function shareText(share: number): string {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `9 Feb 2026`. */
export const dayText = (day: string): string => `${shortDay(day)} ${day.slice(0, 4)}`
/** `9 Feb`. */
export const shortDay = (day: string): string => `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1]}`
/** `Feb 2026`. */
export const monthText = (day: string): string => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
/** `9 Feb 2026 11:59 UTC`. */
export const instantWords = (instant: string): string => `${dayText(instant)} ${instant.slice(11, 16)} UTC`

interface Days {
  from: string
  to: string
}

/** `9 Feb to 10 Mar`. */
export const shortRange = ({ from, to }: Days): string =>
  from === to ? shortDay(from) : `${shortDay(from)} to ${shortDay(to)}`

/** The same with years; the year once if both ends are in the same year. */
export function rangeText({ from, to }: Days): string {
  if (from === to) return dayText(from)
  return from.slice(0, 4) === to.slice(0, 4)
    ? `${shortDay(from)} to ${dayText(to)}`
    : `${dayText(from)} to ${dayText(to)}`
}

/** Cut in the middle, so that the beginning and the end of a path stay. */
export function cutMiddle(text: string, width: number): string {
  const characters = [...text]
  if (characters.length <= width) return text
  const end = Math.floor((width - 1) / 2)
  return `${characters.slice(0, width - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`
}

/** Between the members of a list. */
export const LIST_MARK = ', '

/** Cut at the end. */
export function cutEnd(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}

/** Cut between the members of a list, so that none is cut: a number without its last digit is another number. */
export function cutList(text: string, width: number): string {
  if (text.length <= width) return text
  const members = text.split(LIST_MARK)
  for (let kept = members.length - 1; kept > 0; kept--) {
    const cut = `${members.slice(0, kept).join(LIST_MARK)} and ${members.length - kept} more`
    if (cut.length <= width) return cut
  }
  return cutEnd(`${members.length} of them`, width)
}

/** Foreign text on one line, without terminal control characters. */
export const onOneLine = (text: string): string => withoutControlCharacters(text).replaceAll('\n', '\u{fffd}')

export interface Column<Row> {
  heading: string
  cell(row: Row): string
  /** Numbers are right-aligned. */
  is_number?: boolean
  /** Takes the width that the other columns leave, and is cut to it; one column at most. */
  fills?: (text: string, width: number) => string
  /**
   * For the last column only, a list with `, ` between its members: the minimum width. It takes the width that the
   * others leave, and a longer list continues on the lines below, so that nothing is cut.
   */
  wraps?: number
}

const BETWEEN = '  '

/** Rows below their headings, no line longer than the page. */
export function columnsText<Row>(style: PageStyle, rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const texts = rows.map((row) => columns.map((column) => onOneLine(column.cell(row))))
  const natural = columns.map((column, at) =>
    Math.max(column.heading.length, ...texts.map((cells) => (cells[at] as string).length)),
  )
  const room = style.width - BETWEEN.length * (columns.length - 1)
  const widths = widthsOf(columns, natural, room)
  const line = (cells: readonly string[]) =>
    cells
      .map((text, at) => {
        const { fills, is_number } = columns[at] as Column<Row>
        const cut = fills === undefined ? text : fills(text, widths[at] as number)
        return is_number === true ? cut.padStart(widths[at] as number) : cut.padEnd(widths[at] as number)
      })
      .join(BETWEEN)
      .trimEnd()
  const wrapped = (cells: readonly string[]): string[] => {
    const [text] = cells.slice(-1) as [string]
    const [width] = widths.slice(-1) as [number]
    const [first = '', ...more] = columns.at(-1)?.wraps === undefined ? [text] : wrap(text, width, ', ')
    const blank = cells.slice(0, -1).map(() => '')
    return [line([...cells.slice(0, -1), first]), ...more.map((text) => line([...blank, text]))]
  }
  return [faint(style, line(columns.map((column) => column.heading))), ...texts.flatMap(wrapped)]
}

/** The widths of columns whose texts would take `natural`, in `room` characters without those between columns. */
function widthsOf<Row>(columns: readonly Column<Row>[], natural: readonly number[], room: number): number[] {
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0)
  const least = natural.map((width, at) => Math.min(width, columns[at]?.wraps ?? width))
  const fixed = sum(least.filter((_, at) => columns[at]?.fills === undefined))
  const filled = least.map((width, at) =>
    columns[at]?.fills === undefined ? width : Math.max(8, Math.min(width, room - fixed)),
  )
  const left = Math.max(0, room - sum(filled))
  return filled.map((width, at) =>
    columns[at]?.wraps === undefined ? width : Math.min(natural[at] as number, width + left),
  )
}

/** Words, or parts separated by `between`, as lines of at most `width` characters. */
export function wrap(text: string, width: number, between = ' '): string[] {
  const lines: string[] = []
  for (const word of text.split(between)) {
    const open = lines.at(-1)
    if (open === undefined || open.length + between.length + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${open}${between}${word}`
  }
  return lines
}

const LABEL_WIDTH = 14

/** A label with a text beside it, wrapped there; commands in it can be typed as they are. */
export function labelled({ width }: PageStyle, label: string, text: string): string[] {
  return wrap(asTypedHere(text), width - LABEL_WIDTH).map(
    (line, at) => `${(at === 0 ? label : '').padEnd(LABEL_WIDTH)}${line}`,
  )
}

/** The line below a list that was cut. */
export function andMore(style: PageStyle, count: number, where: string): string[] {
  return count > 0 ? [faint(style, `and ${countText(count)} more: ${where}`)] : []
}
