/** Finds client and host among the words around the combined core; layouts have them in five positions. */
import type { LogRecord } from './record.ts'
import { hostText } from './remembered.ts'
import { readTokens, type Token } from './tokens.ts'

/**
 * Sets client and host of a record from the words before the time, between time and request, and between status and
 * referer. A word is the host only at a position at which a known layout has it. Returns false if several names could
 * be the host.
 */
export function readFront(
  line: string,
  time_start: number,
  between: Token[],
  after: Token[],
  into: LogRecord,
): boolean {
  const front = wordsOf(line, time_start)
  const middle = between
    .filter((token) => token.kind === 'word')
    .map((token) => ({ ...token, text: line.slice(token.start, token.end) }))
  const [first, second, third] = front
  if (
    first !== undefined &&
    second !== undefined &&
    isAddress(second.text) &&
    !(isAddress(first.text) && !hasPort(first.text))
  ) {
    setClient(into, second)
    into.host = hostText(first.text)
  } else if (
    first !== undefined &&
    second !== undefined &&
    front.length >= 3 &&
    isAddress(first.text) &&
    isHostName(second.text)
  ) {
    setClient(into, first)
    into.host = hostText(second.text)
  } else if (
    first !== undefined &&
    second !== undefined &&
    front.length >= 4 &&
    isHostWord(first.text) &&
    (second.text !== '-' || third?.text === '-')
  ) {
    // A dash is a client too, where two more words follow it: a forwarded address that was not sent.
    setClient(into, second)
    into.host = hostText(first.text)
  } else {
    const address = middle.find((word) => isAddress(word.text))
    const client = first === undefined || (address !== undefined && !isAddress(first.text)) ? address : first
    if (client !== undefined) setClient(into, client)
  }
  if (into.host !== null) return true
  const later = after.filter((token) => token.kind === 'word').map((token) => line.slice(token.start, token.end))
  // More words are of another layout (an S3 operation such as WEBSITE.GET.OBJECT looks like a host).
  const named = [...(middle.length > 4 ? [] : middle.map((word) => word.text)), ...later].filter(isHostName)
  const [host] = named
  if (host !== undefined) into.host = hostText(host)
  return named.every((one) => hostText(one) === into.host)
}

interface Word {
  start: number
  end: number
  text: string
}

/** IPv4 or IPv6, also truncated or mapped, with or without a port. Not exact, but a name never matches. */
const ADDRESS =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[?[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:[\d.%:A-Za-z]*(?:\](?::\d+)?)?)$/
const HOST_NAME =
  /^[A-Za-z0-9_\x80-\xff-]+(?:\.[A-Za-z0-9_\x80-\xff-]+)*\.[A-Za-z\x80-\xff][A-Za-z0-9\x80-\xff-]+\.?(?::\d{1,5})?$/

/** Longer words are not addresses. */
const MAX_ADDRESS_LENGTH = 64
const MAX_NAME_LENGTH = 260

function isAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text)
}

function hasPort(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && /^[\d.]+:\d+$|\]:\d+$/.test(text)
}

/** A name with a dot and a last label that begins with a letter: not a number, not `index`, not an address. */
function isHostName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && HOST_NAME.test(text) && !isAddress(text)
}

function isHostWord(text: string): boolean {
  return isHostName(text) || (text.length <= MAX_NAME_LENGTH && /^[A-Za-z0-9_-]+:\d{1,5}$/.test(text))
}

/** It only matters whether there are four. */
const MAX_FRONT_WORDS = 4

/** The first words before `end`; a quoted field is one. */
function wordsOf(line: string, end: number): Word[] {
  const tokens = readTokens(line.slice(0, end), 0, MAX_FRONT_WORDS)
  return tokens.map(({ start, end }) => ({ start, end, text: line.slice(start, end) }))
}

function setClient(into: LogRecord, word: { start: number; end: number }): void {
  into.client_start = word.start
  into.client_end = word.end
}
