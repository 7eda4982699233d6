/**
 * Folds text for comparison: NFKC, without case, white space as plain spaces, typographic apostrophes and hyphens as
 * plain ones (account API 4). One UTF-16 unit at a time where that is safe, else by segment, so that every folded unit
 * can be traced back to the stored text.
 */
import { foldCase } from '#names.ts'

/** The unit folds to something longer or to nothing, or is half of a character: `foldSegment` folds it. */
export const IN_SEGMENT = 0xffff
/** The unit composes with the one before it, which `foldSegment` folds together with it. */
export const COMPOSING = 0xfffe

/** The folded form of each UTF-16 unit, or one of the two values above. */
export function foldTable(): Uint16Array {
  table ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => foldUnit(unit))
  return table
}

let table: Uint16Array | undefined

/** Emphasis of Markdown, which may stand within a name (`**Acme** Cloud`) and is not text. */
const EMPHASIS = 0x2a
const WHITE_SPACE = /[\t\n\r]/g
/** Engines write `McDonald’s` and `Coca‑Cola` with typographic characters, people type brand names with plain ones. */
const APOSTROPHES = /[\u2018\u2019\u02bc]/g
/** NFKC makes the non-breaking hyphen a hyphen. */
const HYPHENS = /\u2010/g
/** Marks and vowels or final consonants of Hangul compose with what precedes them. */
const COMPOSES = /[\p{M}\u1160-\u11ff]/u

function foldUnit(unit: number): number {
  if (unit === EMPHASIS || (unit >= 0xd800 && unit <= 0xdfff)) return IN_SEGMENT
  const folded = foldWhole(String.fromCharCode(unit))
  if (COMPOSES.test(folded.charAt(0))) return COMPOSING
  return folded.length === 1 ? folded.charCodeAt(0) : IN_SEGMENT
}

const foldWhole = (text: string): string => foldCase(foldExactly(text)).normalize('NFKC').replaceAll('ς', 'σ')

/** A piece of stored text that is folded as one. */
export interface FoldSegment {
  from: number
  to: number
  folded: string
}

/** The segment that begins at `at`: one character with all that composes with it. */
export function foldSegment(text: string, at: number): FoldSegment {
  let to = at + (isPair(text, at) ? 2 : 1)
  while (to < text.length && composesAt(text, to)) to += isPair(text, to) ? 2 : 1
  return { from: at, to, folded: to === at + 1 ? foldSingle(text.charCodeAt(at)) : foldWhole(text.slice(at, to)) }
}

/** Folded forms of single units, which texts repeat (`…`, `ß`). */
const singles = new Map<number, string>()

function foldSingle(unit: number): string {
  const known = singles.get(unit)
  if (known !== undefined) return known
  const folded = foldWhole(String.fromCharCode(unit))
  singles.set(unit, folded)
  return folded
}

/** Whether the character at `at` composes with the one before it. */
export function composesAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0x300) return false
  const folded = String.fromCodePoint(text.codePointAt(at) as number).normalize('NFKC')
  return COMPOSES.test(folded.charAt(0)) || (isPair(text, at) && /^\p{M}/u.test(folded))
}

const isPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00

/** A short text, for example a name, folded in the same way as long ones. */
export function foldName(text: string): string {
  let folded = ''
  for (let at = 0; at < text.length; ) {
    const segment = foldSegment(text, at)
    folded += segment.folded
    at = segment.to
  }
  return folded
}

/** As `foldName`, and case is kept: the form in which exact aliases are compared. */
export const foldExactly = (text: string): string =>
  text.replace(WHITE_SPACE, ' ').replaceAll('*', '').normalize('NFKC').replace(APOSTROPHES, "'").replace(HYPHENS, '-')
