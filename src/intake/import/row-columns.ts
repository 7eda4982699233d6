/** Staged rows by column in the engine's format, in which a text that several rows share is written once. */
import type { PathClass, PathFidelity } from '#contract/vocabulary.ts'
import { bytesOf, lowCardinality, type NativeColumn, nativeBlock } from '#evidence/rows/native-rows.ts'
import type { EdgeAction } from '../log/edge-action.ts'
import type { FileAgent } from './file-agents.ts'

/** A text that rows share, with its index among the words of the current block, so that it is looked up once. */
export interface Word {
  readonly text: string
  block: number
  index: number
}

/** A word that is in no block yet. */
export function wordOf(text: string): Word {
  return { text, block: NO_BLOCK, index: 0 }
}

const NO_BLOCK = 0

/** A line to stage. */
export interface StagedRow {
  /** Epoch milliseconds. */
  at: number
  host: string
  path: Word
  path_fidelity: PathFidelity
  path_class: PathClass
  /** NO_STATUS: no response was observed; `status_raw` has the logged number. */
  status: number
  status_raw: number
  method: string
  edge_action: EdgeAction | null
  agent: FileAgent
  /** The result of `lineHash`. */
  line_hash: string
  line_number: number
}

export const NO_STATUS = 0

/** Rows as a block of the engine's format Native, whose last column has the line numbers. */
export interface RowBlock {
  count: number
  /** The block without its last column. */
  head: Uint8Array<ArrayBuffer>
  /** Two 32-bit words for each number, the low one first. */
  line_numbers: Uint32Array<ArrayBuffer>
}

const HASH_BYTES = 16
const TWO_TO_32 = 0x1_0000_0000
const FIRST_ROWS = 1_024

/** Collects rows for a block, and reuses its memory. */
export class RowColumns {
  count = 0
  readonly #delivery_id: Uint8Array
  #numbers = columnsOf(FIRST_ROWS)
  readonly #hosts = new Words()
  readonly #paths = new Words()
  readonly #methods = new Words()
  readonly #user_agents = new Words()
  readonly #agents = new Map<FileAgent, AgentValues>()
  #last_agent: FileAgent | null = null
  #last_values: AgentValues = { low: 0, high: 0, index: 0 }

  constructor(deliveryId: string) {
    this.#delivery_id = swapped(Buffer.from(deliveryId.replaceAll('-', ''), 'hex'))
  }

  add(row: StagedRow): void {
    const at = this.count
    if (at === this.#numbers.capacity) this.#numbers = grown(this.#numbers)
    const agent = row.agent === this.#last_agent ? this.#last_values : this.#valuesOf(row.agent)
    const to = this.#numbers
    to.at[2 * at] = row.at
    to.at[2 * at + 1] = Math.floor(row.at / TWO_TO_32)
    to.host[at] = this.#hosts.indexOf(row.host)
    to.path[at] = this.#paths.indexOfWord(row.path)
    to.path_fidelity[at] = row.path_fidelity === 'exact' ? 1 : 2
    to.path_class[at] = row.path_class === 'content' ? 1 : 2
    to.status[at] = row.status
    to.status_raw[at] = row.status_raw
    to.method[at] = this.#methods.indexOf(row.method)
    to.edge_action[at] = row.edge_action === null ? 0 : EDGE_ACTIONS.indexOf(row.edge_action) + 1
    to.user_agent[at] = agent.index
    to.agent_key[2 * at] = agent.low
    to.agent_key[2 * at + 1] = agent.high
    to.line_hash.write(row.line_hash, HASH_BYTES * at, HASH_BYTES, 'latin1')
    to.line_number[2 * at] = row.line_number
    to.line_number[2 * at + 1] = Math.floor(row.line_number / TWO_TO_32)
    this.count = at + 1
  }

  /** Returns all rows as a block, and starts a new one. */
  take(): RowBlock {
    const { count } = this
    const block = {
      count,
      head: joined(nativeBlock(count, this.#columns())),
      line_numbers: this.#numbers.line_number.slice(0, 2 * count),
    }
    this.count = 0
    this.#agents.clear()
    this.#last_agent = null
    return block
  }

  #valuesOf(agent: FileAgent): AgentValues {
    let values = this.#agents.get(agent)
    if (values === undefined) {
      const key = BigInt(agent.agent_key)
      const index = this.#user_agents.indexOf(agent.user_agent)
      values = { low: Number(BigInt.asUintN(32, key)), high: Number(key >> 32n), index }
      this.#agents.set(agent, values)
    }
    this.#last_agent = agent
    this.#last_values = values
    return values
  }

  /** The columns of spoor.import_rows; the values of the last one follow the head. */
  #columns(): NativeColumn[] {
    const { count } = this
    const from = this.#numbers
    const part = (column: Uint8Array | Uint16Array | Uint32Array, each = 1) => [
      bytesOf(column.subarray(0, each * count)),
    ]
    return [
      { name: 'delivery_id', type: 'UUID', values: [Buffer.alloc(HASH_BYTES * count, this.#delivery_id)] },
      { name: 'at_ms', type: 'Int64', values: part(from.at, 2) },
      { name: 'host', type: TEXTS, values: this.#hosts.take(from.host.subarray(0, count)) },
      { name: 'path', type: TEXTS, values: this.#paths.take(from.path.subarray(0, count)) },
      { name: 'path_fidelity', type: "Enum8('exact' = 1, 'redacted' = 2)", values: part(from.path_fidelity) },
      { name: 'path_class', type: "Enum8('content' = 1, 'infrastructure' = 2)", values: part(from.path_class) },
      { name: 'status', type: 'UInt16', values: part(from.status) },
      { name: 'status_raw', type: 'UInt16', values: part(from.status_raw) },
      { name: 'method', type: TEXTS, values: this.#methods.take(from.method.subarray(0, count)) },
      { name: 'edge_action', type: EDGE_ACTION, values: nullable(from.edge_action.subarray(0, count)) },
      { name: 'user_agent', type: TEXTS, values: this.#user_agents.take(from.user_agent.subarray(0, count)) },
      { name: 'agent_key', type: 'UInt64', values: part(from.agent_key, 2) },
      { name: 'line_hash', type: 'UUID', values: [swapped(from.line_hash.subarray(0, HASH_BYTES * count))] },
      { name: 'line_number', type: 'UInt64', values: [] },
    ]
  }
}

interface AgentValues {
  /** The halves of the agent's key. */
  low: number
  high: number
  /** The index of its user agent among the words of the block. */
  index: number
}

const TEXTS = 'LowCardinality(String)'
const EDGE_ACTIONS: readonly EdgeAction[] = ['none', 'block', 'challenge']
const EDGE_ACTION = "Nullable(Enum8('none' = 1, 'block' = 2, 'challenge' = 3))"

/** The texts of a column, most of which are stored once. */
class Words {
  #texts: string[] = []
  readonly #indexes = new Map<string, number>()
  #block = nextBlock()
  #last: string | null = null
  #last_index = 0

  indexOf(text: string): number {
    if (text === this.#last) return this.#last_index
    let index = this.#indexes.get(text)
    if (index === undefined) {
      index = this.#texts.push(text) - 1
      this.#indexes.set(text, index)
    }
    this.#last = text
    this.#last_index = index
    return index
  }

  /** Looks the word up by identity, so that an equal text of another word is stored a second time. */
  indexOfWord(word: Word): number {
    if (word.block !== this.#block) {
      word.index = this.#texts.push(word.text) - 1
      word.block = this.#block
    }
    return word.index
  }

  take(indexes: Uint32Array): Uint8Array[] {
    const values = lowCardinality(this.#texts, indexes)
    this.#texts = []
    this.#indexes.clear()
    this.#last = null
    this.#block = nextBlock()
    return values
  }
}

let blocks = NO_BLOCK
const nextBlock = () => ++blocks

function columnsOf(capacity: number) {
  return {
    capacity,
    at: new Uint32Array(2 * capacity),
    host: new Uint32Array(capacity),
    path: new Uint32Array(capacity),
    path_fidelity: new Uint8Array(capacity),
    path_class: new Uint8Array(capacity),
    status: new Uint16Array(capacity),
    status_raw: new Uint16Array(capacity),
    method: new Uint32Array(capacity),
    edge_action: new Uint8Array(capacity),
    user_agent: new Uint32Array(capacity),
    agent_key: new Uint32Array(2 * capacity),
    line_hash: Buffer.alloc(HASH_BYTES * capacity),
    line_number: new Uint32Array(2 * capacity),
  }
}

type Columns = ReturnType<typeof columnsOf>

function grown(full: Columns): Columns {
  const wider = columnsOf(2 * full.capacity)
  for (const name of Object.keys(full) as (keyof Columns)[]) {
    const from = full[name]
    if (typeof from !== 'number') (wider[name] as Uint8Array).set(from)
  }
  return wider
}

/**
 * A nullable column: a mark for each row without a value (0), then the values. Rows without a value need a valid one.
 */
function nullable(values: Uint8Array): Uint8Array[] {
  return [values.map((value) => (value === 0 ? 1 : 0)), values.map((value) => (value === 0 ? 1 : value))]
}

/** UUIDs in the engine's format: two little-endian numbers of eight bytes. */
function swapped(uuids: Buffer): Uint8Array {
  return uuids.swap64()
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
