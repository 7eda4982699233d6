/** Splits a part of a log line into words, quoted fields and bracketed fields, with their offsets. */

export interface Token {
  kind: 'word' | 'quoted' | 'bracketed'
  /** Offsets of the content, without quotes and brackets. */
  start: number
  end: number
  /** The field has no end, because the line was cut. */
  open: boolean
}

/** All layouts have far fewer fields. */
const MAX_TOKENS = 256

/** The text of a token, without the quotes around it. */
export const tokenText = (line: string, { start, end }: Token): string => line.slice(start, end)

/** The first `max` tokens of `line` from an offset. Quoted fields end at an unescaped quote before a blank or end. */
export function readTokens(line: string, from: number, max = MAX_TOKENS): Token[] {
  const tokens: Token[] = []
  let at = from
  while (at < line.length && tokens.length < max) {
    const first = line.charCodeAt(at)
    if (first === BLANK || first === TAB) {
      at += 1
      continue
    }
    const token = tokenAt(line, at)
    tokens.push(token)
    at = token.kind === 'word' ? token.end : token.end + 1
  }
  return tokens
}

function tokenAt(line: string, at: number): Token {
  const first = line.charCodeAt(at)
  if (first === QUOTE) return quoted(line, at + 1)
  return first === BRACKET ? bracketed(line, at) : word(line, at)
}

const TAB = 9
const BLANK = 32
const QUOTE = 34
const BRACKET = 91

function quoted(line: string, start: number): Token {
  let close = line.indexOf('"', start)
  while (close >= 0 && (escapedAt(line, start, close) || !endsField(line, close))) close = line.indexOf('"', close + 1)
  if (close >= 0) return { kind: 'quoted', start, end: close, open: false }
  // If a server does not escape, the agent may end with a backslash; then the last quote of the line closes it.
  const closes = line.length > start && line.endsWith('"')
  return { kind: 'quoted', start, end: closes ? line.length - 1 : line.length, open: !closes }
}

function escapedAt(line: string, start: number, quote: number): boolean {
  let slashes = 0
  while (quote - 1 - slashes >= start && line.charCodeAt(quote - 1 - slashes) === 92) slashes += 1
  return slashes % 2 === 1
}

function endsField(line: string, quote: number): boolean {
  const next = line.charCodeAt(quote + 1)
  return Number.isNaN(next) || next === BLANK || next === TAB
}

/** No time is longer; a longer search would read the whole line at every bracket ("no line stops the reader"). */
const MAX_BRACKET_LENGTH = 512

function bracketed(line: string, at: number): Token {
  const close = line.slice(at, at + MAX_BRACKET_LENGTH).indexOf(']') + at
  if (close < at) return word(line, at)
  return { kind: 'bracketed', start: at + 1, end: close, open: false }
}

function word(line: string, start: number): Token {
  let end = start
  while (end < line.length && line.charCodeAt(end) !== BLANK && line.charCodeAt(end) !== TAB) end += 1
  return { kind: 'word', start, end, open: false }
}
