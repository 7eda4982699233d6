/**
 * The fast path: plain combined lines, which most lines of a log are, are read by their bytes, and no field that was
 * seen before becomes a string. `scanCombined` reads each line that this accepts in the same way ("plain lines are read
 * by bytes as by text"). Only this file decides whether a line is plain.
 */
import { LINE_LIMIT } from './lines.ts'
import { agentField, hostText } from './remembered.ts'
import { RememberedBytes } from './remembered-bytes.ts'
import { readClfTime } from './time.ts'

/** A user agent, by its field. */
interface PlainAgent<Judged> {
  /** Whether it may be read here, and whether that holds with any fields after it. */
  is_plain: boolean
  is_certain: boolean
  /** Decoded text; empty for `-` and an empty field. */
  text: string
  /** Null: the careful reader reads the lines of the agent. */
  judged: Judged | null
}

/** `Judged`: the caller's verdict on a user agent, requested once for each while it is cached. */
export class PlainLineScanner<Judged> {
  /** Epoch milliseconds of the line that `scan` accepted. */
  at = 0
  /** Its normalised host; null: it has none. */
  host: string | null = null
  /** The logged number. */
  status = 0
  user_agent = ''
  judged: Judged
  /** Whether fields follow its agent. */
  has_tail = false
  /** Offsets in the bytes: of the request without quotes, of the client, and of the end of the line without CR. */
  request_start = 0
  request_end = 0
  client_start = 0
  client_end = 0
  end = 0
  /** Created when a line first needs them: each takes megabytes, and many readers read no such line. */
  #agents: RememberedBytes<PlainAgent<Judged>> | null = null
  #hosts: RememberedBytes<string | null> | null = null
  readonly #judge: (userAgent: string) => Judged | null
  #bytes: Buffer = EMPTY
  #view: DataView = new DataView(EMPTY.buffer, EMPTY.byteOffset, 0)
  /** Day and zone of the line before, which rarely change in a log. */
  readonly #stamp = new DataView(new ArrayBuffer(STAMP))
  #day_starts_at = 0

  /** `judge` gets the text of a user agent; `judged` is `none` until a line is accepted. */
  constructor(judge: (userAgent: string) => Judged | null, none: Judged) {
    this.#judge = judge
    this.judged = none
  }

  /** The bytes to scan; they end with a line end. */
  load(bytes: Buffer): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  /** The value of the request of the line in a cache; undefined: it is not cached. */
  requestOf<Value>(memory: RememberedBytes<Value>): Value | undefined {
    return memory.of(this.#bytes, this.#view, this.request_start, this.request_end)
  }

  /** The value of the client of the line in a cache. */
  clientOf<Value>(memory: RememberedBytes<Value>): Value | undefined {
    return memory.of(this.#bytes, this.#view, this.client_start, this.client_end)
  }

  /** Reads the line at this offset and returns the offset after its LF; -1: the careful reader must read it. */
  scan(start: number): number {
    const bytes = this.#bytes
    if (start + MIN_LENGTH > bytes.length) return -1
    let host_end = 0
    let client_start = start
    let at = wordEnd(bytes, start)
    if (at < 0) return -1
    let client_end = at
    if (bytes[at + 1] !== MINUS || bytes[at + 2] !== BLANK) {
      // `host client - user`; if the client is a name or a tag of syslog (`nginx:`), the careful reader reads the line.
      host_end = at
      client_start = at + 1
      if (at === start || bytes[at - 1] === COLON || !isDigit(bytes[client_start] as number)) return -1
      at = wordEnd(bytes, client_start)
      if (at < 0 || bytes[at + 1] !== MINUS || bytes[at + 2] !== BLANK) return -1
      client_end = at
    }
    at = wordEnd(bytes, at + 3)
    if (at < 0 || at + MIN_REST_LENGTH > bytes.length || bytes[at + 1] !== BRACKET) return -1

    const instant = this.#time(at + 2)
    if (Number.isNaN(instant)) return -1
    at += 2 + STAMP
    if (bytes[at] !== CLOSING_BRACKET || bytes[at + 1] !== BLANK || bytes[at + 2] !== QUOTE) return -1

    const request = at + 3
    const target = request + (bytes[request] === LETTER_G ? 'GET '.length : 'POST '.length)
    if (bytes[target] !== SLASH || !isMethod(this.#view.getInt32(request, true), bytes[target - 1] as number)) return -1
    const request_end = quoteEnd(bytes, target)
    at = request_end
    if (at < 0 || bytes[at + 1] !== BLANK || bytes[at + 5] !== BLANK) return -1
    const status = threeDigits(bytes, at + 2)
    if (status < 0) return -1

    at = sizeEnd(bytes, at + 6)
    if (at < 0 || bytes[at + 1] !== QUOTE) return -1
    const referer = at + 2
    at = quoteEnd(bytes, referer)
    if (at < 0 || bytes[at + 1] !== BLANK || bytes[at + 2] !== QUOTE) return -1
    if (bytes[referer] === LETTER_H) {
      if (!isUrl(this.#view, referer)) return -1
    } else if (at > referer && (bytes[referer] !== MINUS || at > referer + 1)) return -1

    const agent_start = at + 3
    const agent_end = quoteEnd(bytes, agent_start)
    if (agent_end < 0) return -1
    const line_feed = lineEnd(bytes, agent_end + 1)
    if (line_feed < 0 || line_feed - start > LINE_LIMIT) return -1
    this.#agents ??= new RememberedBytes((field) => this.#readAgent(field))
    const agent = this.#agents.of(bytes, this.#view, agent_start, agent_end)
    if (agent === undefined || !agent.is_plain || agent.judged === null) return -1
    if (!agent.is_certain && line_feed > agent_end + 2 && bytes.subarray(agent_end + 1, line_feed).includes(QUOTE))
      return -1
    const host = host_end === 0 ? null : this.#readHost(start, host_end)
    if (host === undefined || (host_end > 0 && host === null)) return -1

    this.at = instant
    this.host = host
    this.status = status
    this.user_agent = agent.text
    this.judged = agent.judged
    this.has_tail = bytes[agent_end + 1] === BLANK
    this.request_start = request
    this.request_end = request_end
    this.client_start = client_start
    this.client_end = client_end
    this.end = bytes[line_feed - 1] === CR ? line_feed - 1 : line_feed
    return line_feed + 1
  }

  #readAgent(field: string): PlainAgent<Judged> {
    const { text, is_alone, is_certain } = agentField(field, 0, field.length)
    return { is_plain: is_alone, is_certain, text, judged: is_alone ? this.#judge(text) : null }
  }

  #readHost(start: number, end: number): string | null | undefined {
    this.#hosts ??= new RememberedBytes(hostText)
    return this.#hosts.of(this.#bytes, this.#view, start, end)
  }

  /** Like `readClfTime`, for `dd/Mon/yyyy:HH:MM:SS +zzzz`. */
  #time(at: number): number {
    const view = this.#view
    const stamp = this.#stamp
    const is_known =
      view.getInt32(at, true) === stamp.getInt32(0, true) &&
      view.getInt32(at + 4, true) === stamp.getInt32(4, true) &&
      view.getInt32(at + 7, true) === stamp.getInt32(7, true) &&
      view.getInt32(at + 20, true) === stamp.getInt32(20, true) &&
      view.getInt32(at + 22, true) === stamp.getInt32(22, true)
    return is_known ? this.#day_starts_at + timeOfDay(this.#bytes, at) : this.#otherDay(at)
  }

  #otherDay(at: number): number {
    const instant = readClfTime(this.#bytes.toString('latin1', at, at + STAMP), 0)
    if (Number.isNaN(instant)) return instant
    for (let part = 0; part < STAMP; part += 1) this.#stamp.setUint8(part, this.#bytes[at + part] as number)
    this.#day_starts_at = instant - timeOfDay(this.#bytes, at)
    return instant
  }
}

const EMPTY = Buffer.alloc(0)
/** The length of `dd/Mon/yyyy:HH:MM:SS +zzzz`. */
const STAMP = 26
/** No line is shorter, so bytes up to here can be read without a check. */
const MIN_LENGTH = 8
/** The fewest bytes from the blank before the time on. */
const MIN_REST_LENGTH = 48

const LF = 10
const CR = 13
const BLANK = 32
const QUOTE = 34
const MINUS = 45
const SLASH = 47
const COLON = 58
const LETTER_G = 71
const LETTER_H = 104
const BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACKET = 93
const GET = littleEndian('GET ')
const POST = littleEndian('POST')
const HEAD = littleEndian('HEAD')

const HTTP = littleEndian('http')
const AFTER_HTT = littleEndian('p://')
const AFTER_HTTP = littleEndian('s://')

function littleEndian(text: string): number {
  return Buffer.from(text, 'latin1').readInt32LE(0)
}

function isMethod(word: number, before_target: number): boolean {
  return before_target === BLANK && (word === GET || word === POST || word === HEAD)
}

/** Whether a referer begins like a URL; other text may be another field. More bytes of the line follow. */
function isUrl(view: DataView, at: number): boolean {
  if (view.getInt32(at, true) !== HTTP) return false
  return view.getInt32(at + 3, true) === AFTER_HTT || view.getInt32(at + 4, true) === AFTER_HTTP
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** Offset of the blank after a word; -1 if a quote or the end of the line is before it. */
function wordEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const byte = bytes[at] as number
    if (byte > QUOTE) continue
    if (byte === BLANK) return at
    if (byte === QUOTE || byte === LF) return -1
  }
}

/** Offset of the closing quote; -1 if the end of the line or a backslash is before it. */
function quoteEnd(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    const byte = bytes[at] as number
    if (byte > QUOTE) continue
    if (byte === QUOTE) return bytes[at - 1] === BACKSLASH ? -1 : at
    if (byte === LF) return -1
  }
}

/** Offset of the blank after a size or `-`. */
function sizeEnd(bytes: Buffer, from: number): number {
  if (bytes[from] === MINUS) return bytes[from + 1] === BLANK ? from + 1 : -1
  let at = from
  while (isDigit(bytes[at] as number)) at += 1
  return at > from && bytes[at] === BLANK ? at : -1
}

/** Offset of the LF; the agent must be followed by the line's end or a blank. */
function lineEnd(bytes: Buffer, from: number): number {
  const byte = bytes[from] as number
  if (byte === LF) return from
  if (byte === CR) return bytes[from + 1] === LF ? from + 1 : -1
  return byte === BLANK ? bytes.indexOf(LF, from) : -1
}

function threeDigits(bytes: Buffer, at: number): number {
  const a = (bytes[at] as number) - 48
  const b = (bytes[at + 1] as number) - 48
  const c = (bytes[at + 2] as number) - 48
  return a >= 0 && a <= 9 && b >= 0 && b <= 9 && c >= 0 && c <= 9 ? a * 100 + b * 10 + c : -1
}

/** Milliseconds of the `HH:MM:SS` after the day; NaN if it is not a time. */
function timeOfDay(bytes: Buffer, at: number): number {
  if (bytes[at + 11] !== COLON || bytes[at + 14] !== COLON || bytes[at + 17] !== COLON) return Number.NaN
  const hours = twoDigits(bytes, at + 12)
  const minutes = twoDigits(bytes, at + 15)
  const seconds = twoDigits(bytes, at + 18)
  return hours > 23 || minutes > 59 || seconds > 60 ? Number.NaN : (hours * 3600 + minutes * 60 + seconds) * 1000
}

/** 0 to 99; 100 if one of the two is not a digit. */
function twoDigits(bytes: Buffer, at: number): number {
  const tens = (bytes[at] as number) - 48
  const ones = (bytes[at + 1] as number) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}
