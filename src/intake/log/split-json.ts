/**
 * Files that are JSON instead of lines: an array of records on one or many lines, `{"records":[…]}`, or pretty-printed
 * records. Every record becomes a line of its own, without line breaks. Memory is bounded by the size of a chunk.
 */

/**
 * The chunks with one JSON record per line if the file begins like such JSON, else the unchanged chunks.
 * @param onOpenList called at the end if a list of records was not closed, so that records may be missing.
 */
export async function* splitJson(chunks: AsyncIterable<Buffer>, onOpenList?: () => void): AsyncGenerator<Buffer> {
  let head: Buffer | null = EMPTY
  let splitter: Splitter | null = null
  for await (const chunk of chunks) {
    if (head === null) {
      yield splitter === null ? chunk : splitter.split(chunk)
      continue
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    const kind = kindOf(head)
    if (kind === 'unclear') {
      head = Buffer.from(head)
      continue
    }
    if (kind === 'json') splitter = new Splitter()
    yield splitter === null ? head : splitter.split(head)
    head = null
  }
  if (head !== null && head.length > 0) {
    if (kindOf(head) === 'json') splitter = new Splitter()
    yield splitter === null ? head : splitter.split(head)
  }
  if (splitter?.has_open_list === true) onOpenList?.()
}

const EMPTY = Buffer.alloc(0)
const HEAD_BYTES = 65_536
/** Deliveries and exports of Azure and Google Cloud have their list of records under these names. */
const WRAPPERS = ['{"records":[', '{"entries":[']

/** What a file holds by its first bytes; `unclear`: more of them are needed. */
function kindOf(head: Buffer): 'json' | 'lines' | 'unclear' {
  const text = head
    .toString('latin1', 0, HEAD_BYTES)
    .replace(/^\xef(?:$|\xbb(?:$|\xbf))/, '')
    .trimStart()
  const unclear = head.length >= HEAD_BYTES ? 'lines' : 'unclear'
  if (text === '') return unclear
  if (text.startsWith('[')) {
    const next = /^\[\s*(\S)/.exec(text)?.[1]
    if (next === undefined) return unclear
    return next === '{' || next === ']' || next === '[' ? 'json' : 'lines'
  }
  if (!text.startsWith('{')) return 'lines'
  if (/^\{[ \t\r]*\n/.test(text) || WRAPPERS.includes(text.slice(0, 200).replace(/\s/g, '').slice(0, 12))) return 'json'
  return text.includes('\n') || text.length > 200 ? 'lines' : unclear
}

const TAB = 9
const LF = 10
const CR = 13
const BLANK = 32
const QUOTE = 34
const COMMA = 44
const OPEN_LIST = 91
const BACKSLASH = 92
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const LINE_END = Buffer.from('\n')

/** Walks the bytes, of which it recognizes only strings and brackets, and never holds a whole record. */
class Splitter {
  #state: 'between' | 'list_opened' | 'object_begun' | 'object' | 'value' | 'text' = 'between'
  #depth = 0
  /** The number of open lists of records. */
  #lists = 0
  /** A value may begin here: after an opened list or a comma in it. */
  #expects_value = false
  #in_string = false
  #escaped = false
  /** The object is the remainder of a wrapper after its list, which has no records. */
  #dropped = false
  #in_wrapper = false
  /** The first bytes of an object that may be a wrapper. */
  #begun = ''
  /** The number of open brackets of lists, without those of values. */
  #open = 0
  /** A record has ended, without a comma since. */
  #follows_record = false
  #out: Buffer[] = []

  get has_open_list(): boolean {
    return this.#open > 0
  }

  split(chunk: Buffer): Buffer {
    this.#out = []
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === 'object') at = this.#object(chunk, at)
      else if (this.#state === 'value') at = this.#value(chunk, at)
      else if (this.#state === 'text') at = this.#text(chunk, at)
      else {
        this.#outside(chunk[at] as number)
        at += 1
      }
    }
    return Buffer.concat(this.#out)
  }

  #outside(byte: number): void {
    if (this.#state === 'object_begun') this.#begin(byte)
    else if (byte === OPEN_OBJECT) {
      if (this.#state === 'list_opened') this.#lists += 1
      this.#expects_value = false
      this.#state = 'object_begun'
      this.#begun = '{'
    } else if (byte === OPEN_LIST) {
      if (this.#state === 'list_opened') this.#lists += 1
      this.#state = 'list_opened'
      // A list cannot begin right after a record: the one before was cut off, and this one may be complete.
      this.#open = this.#follows_record ? 1 : this.#open + 1
      this.#follows_record = false
    } else if (byte === CLOSE_LIST) this.#closeList()
    else if (!SEPARATORS.has(byte)) this.#noRecord(byte)
    else if (byte === LF) this.#state = 'between'
    else if (byte === COMMA) {
      this.#expects_value = this.#lists > 0
      this.#follows_record = false
    }
  }

  /** Passes on a value between records (`null`, a number, a list), which the reader refuses, or a line of text. */
  #noRecord(byte: number): void {
    const is_in_list = this.#lists > 0 && this.#expects_value
    const opened = this.#state === 'list_opened'
    if (opened) {
      this.#out.push(Buffer.from('['))
      this.#open -= 1
    }
    if (!is_in_list) {
      this.#lists = 0
      this.#open = 0
      this.#out.push(Buffer.of(byte))
      this.#state = 'text'
      return
    }
    this.#openObject(opened ? 1 : 0, false)
    this.#expects_value = false
    this.#state = 'value'
    this.#value(Buffer.of(byte), 0)
  }

  /** Finds out whether an object is a wrapper; if not, its bytes so far go the way of all objects. */
  #begin(byte: number): void {
    this.#begun += String.fromCharCode(byte)
    const packed = this.#begun.replace(/\s/g, '')
    if (WRAPPERS.includes(packed)) {
      this.#in_wrapper = true
      this.#lists = 1
      this.#open = 1
      this.#expects_value = true
      this.#state = 'between'
    } else if (this.#begun.length > 200 || !WRAPPERS.some((wrapper) => wrapper.startsWith(packed))) {
      this.#openObject(0, false)
      this.#object(Buffer.from(this.#begun, 'latin1'), 0)
    }
  }

  #closeList(): void {
    if (this.#state !== 'list_opened') this.#lists = Math.max(0, this.#lists - 1)
    this.#open = Math.max(0, this.#open - 1)
    this.#expects_value = false
    this.#state = 'between'
    if (!this.#in_wrapper || this.#lists > 0) return
    this.#in_wrapper = false
    this.#openObject(1, true)
  }

  #openObject(depth: number, dropped: boolean): void {
    this.#state = 'object'
    this.#depth = depth
    this.#dropped = dropped
    this.#in_string = false
    this.#escaped = false
  }

  /** Up to the comma or bracket that is not the value's own, or the line's end. Returns as #object does. */
  #value(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      const is_own = this.#in_string || this.#depth > 0
      if (byte === LF || (!is_own && (byte === COMMA || byte === CLOSE_LIST))) return this.#closeObject(chunk, from, at)
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) this.#in_string = !this.#in_string
      else if (this.#in_string) continue
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1
    }
    this.#keep(chunk, from, chunk.length)
    return chunk.length
  }

  /** Offset after the object's end, or of the chunk's. */
  #object(chunk: Buffer, from: number): number {
    let start = from
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number
      if (this.#in_string) {
        if (this.#escaped) this.#escaped = false
        else if (byte === BACKSLASH) this.#escaped = true
        else if (byte === QUOTE) this.#in_string = false
        // No JSON string holds a line break: the record was cut here, and the next may be whole.
        else if (byte === LF) return this.#closeObject(chunk, start, at)
      } else if (byte === QUOTE) this.#in_string = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth -= 1
        if (this.#depth === 0) return this.#closeObject(chunk, start, at + 1)
      } else if (byte === LF || byte === CR) {
        this.#keep(chunk, start, at)
        start = at + 1
      }
    }
    this.#keep(chunk, start, chunk.length)
    return chunk.length
  }

  #closeObject(chunk: Buffer, start: number, end: number): number {
    this.#keep(chunk, start, end)
    if (!this.#dropped) this.#out.push(LINE_END)
    this.#state = 'between'
    this.#follows_record = true
    return end
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    if (end > start && !this.#dropped) this.#out.push(chunk.subarray(start, end))
  }

  #text(chunk: Buffer, from: number): number {
    const line_end = chunk.indexOf(LF, from)
    const end = line_end < 0 ? chunk.length : line_end + 1
    this.#out.push(chunk.subarray(from, end))
    if (line_end >= 0) this.#state = 'between'
    return end
  }
}

const SEPARATORS = new Set([TAB, LF, CR, BLANK, COMMA, CLOSE_OBJECT, 0xef, 0xbb, 0xbf])
