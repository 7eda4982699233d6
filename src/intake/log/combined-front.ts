/** Finds client and host among the words around the combined core; layouts have them in five positions. */
import type { LogRecord } from './record.ts'
import { hostText } from './remembered.ts'
import { readTokens, type Token } from './tokens.ts'

/** Where a line may name its client and host. */
export interface WordsAround {
  /** Offset of the time, which the first words precede. */
  time_start: number
  /** The fields between time and request. */
  between: readonly Token[]
  /** The fields between status and referer. */
  after: readonly Token[]
}

/**
 * Sets client and host of a record from the words around its core. A word is the host only at a position at which a
 * known layout has it. Returns false if several names could be the host.
 */
export function readFront(line: string, { time_start, between, after }: WordsAround, into: LogRecord): boolean {
  const front = firstWords(line, time_start)
  const middle = wordsAmong(line, between)
  const { client, host } = clientAndHost(front) ?? { client: clientWithoutHost(front[0], middle), host: undefined }
  if (client !== undefined) {
    into.client_start = client.start
    into.client_end = client.end
  }
  if (host !== undefined) into.host = hostText(host.text)
  if (into.host !== null) return true
  // More words are of another layout (an S3 operation such as WEBSITE.GET.OBJECT looks like a host).
  const candidates = [...(middle.length > MAX_MIDDLE_WORDS ? [] : middle), ...wordsAmong(line, after)]
  const named = candidates.map(({ text }) => text).filter(isHostName)
  if (named[0] !== undefined) into.host = hostText(named[0])
  return named.every((one) => hostText(one) === into.host)
}

interface Word {
  start: number
  end: number
  text: string
}

/** The words before the time that are client and host; undefined: the host is not among them. */
function clientAndHost(front: readonly Word[]): { client: Word; host: Word } | undefined {
  const [first, second, third] = front
  if (first === undefined || second === undefined) return undefined
  if (isAddress(second.text) && (!isAddress(first.text) || hasPort(first.text))) return { client: second, host: first }
  if (front.length >= 3 && isAddress(first.text) && isHostName(second.text)) return { client: first, host: second }
  // A dash is a client too, where two more words follow it: a forwarded address that was not sent.
  const is_client = second.text !== '-' || third?.text === '-'
  if (front.length >= 4 && isHostWord(first.text) && is_client) return { client: second, host: first }
  return undefined
}

/** The first word, unless it is not an address and one follows the time. */
function clientWithoutHost(first: Word | undefined, middle: readonly Word[]): Word | undefined {
  const address = middle.find(({ text }) => isAddress(text))
  return first === undefined || (address !== undefined && !isAddress(first.text)) ? address : first
}

const MAX_MIDDLE_WORDS = 4

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
const firstWords = (line: string, end: number): Word[] =>
  readTokens(line.slice(0, end), 0, MAX_FRONT_WORDS).map((token) => wordOf(line, token))

const wordsAmong = (line: string, tokens: readonly Token[]): Word[] =>
  tokens.filter(({ kind }) => kind === 'word').map((token) => wordOf(line, token))

const wordOf = (line: string, { start, end }: Token): Word => ({ start, end, text: line.slice(start, end) })
