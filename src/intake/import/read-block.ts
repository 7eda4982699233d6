/**
 * Reads the plain combined lines of a block by their bytes: human ones are only counted, automated ones become rows.
 * The reader of text reads all other lines. Nothing here depends on the order of blocks, so that threads can read them.
 */
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { type Address, emptyAddress, parseV4Bytes } from '#crawlers/identity/address.ts'
import type { ProveRequest } from '#crawlers/identity/prove-request.ts'
import { isInspectorAgent } from '#crawlers/registry/inspector-agent.ts'
import { belongsTo } from '#sites/root-domain.ts'
import { unescapeField } from '../log/decode.ts'
import { isObservedStatus } from '../log/observed-status.ts'
import { clientText } from '../log/record.ts'
import { RememberedBytes } from '../log/remembered-bytes.ts'
import { isDummyConnection, type RequestFault } from '../log/request.ts'
import { PlainLineScanner } from '../log/scan-plain-line.ts'
import type { BlockLines, HostLines } from './block-lines.ts'
import { hashBytesHigh, hashBytesLow, hashText, joinHashesHigh, joinHashesLow, type TextHash } from './double-log.ts'
import type { FileAgent, FileAgents } from './file-agents.ts'
import { LineHasher, type LineOrigin } from './line-identity.ts'
import { NO_STATUS, RowColumns } from './row-columns.ts'
import { readStoredRequest, type StoredRequest } from './stored-request.ts'

/** The settings for reading the lines of a file. */
export interface BlockSetting extends LineOrigin {
  delivery_id: string
  root_domain: string
  /** The host of lines that name none. */
  default_host: string
  /** The service's time, epoch milliseconds. A line that is too far after it has a wrong time. */
  now: number
  latest: number
}

export interface BlockJudges {
  agents: FileAgents
  /** The proof of a request's client; null: its address needs reverse DNS. */
  prove(request: ProveRequest): string | null
}

/** The verdict on a user agent. */
interface AgentVerdict {
  /** Null: the agent of a human. */
  automated: FileAgent | null
  hash: TextHash
  /** The proof of its last client. */
  proof: string
  proved: FileAgent | null
  /** The agent with that proof, if it was recorded last. */
  noted: FileAgent | null
  noted_day: number
  noted_block: number
}

const HUMAN: AgentVerdict = {
  automated: null,
  hash: { high: 0, low: 0 },
  proof: '',
  proved: null,
  noted: null,
  noted_day: 0,
  noted_block: 0,
}

/** The most cached requests and clients. */
const MAX_CACHED = 131_072

interface Client {
  address: string | Address
  hash: TextHash
}

export class BlockReader {
  readonly #setting: BlockSetting
  readonly #judges: BlockJudges
  readonly #scanner: PlainLineScanner<AgentVerdict>
  readonly #rows: RowColumns
  readonly #hasher: LineHasher
  /** The client of the current line, if its address is IPv4. */
  readonly #v4 = { address: emptyAddress(), hash: { high: 0, low: 0 } }
  #requests: RememberedBytes<StoredRequest | RequestFault> | null = null
  #clients: RememberedBytes<Client> | null = null
  #block = 0
  #bytes: Buffer = Buffer.alloc(0)
  #hashes = new Int32Array(3 * 1_024)
  /** Agents of the block, each with its days (since 1970). */
  #agents = new Map<FileAgent, Set<number>>()

  constructor(setting: BlockSetting, judges: BlockJudges) {
    this.#setting = setting
    this.#judges = judges
    this.#rows = new RowColumns(setting.delivery_id)
    this.#hasher = new LineHasher(setting)
    this.#scanner = new PlainLineScanner((agent) => this.#judge(agent), HUMAN)
  }

  /** Reads whole lines; the last one ends with a line end, too. */
  read(bytes: Buffer): BlockLines {
    const scanner = this.#scanner
    const { latest } = this.#setting
    scanner.load(bytes)
    this.#hasher.load(bytes)
    this.#bytes = bytes
    this.#agents = new Map()
    this.#block += 1
    const hosts = new Map<string | null, HostLines>()
    const minutes: number[] = []
    const otherLines: number[] = []
    let lines = 0
    let minute = -1
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    let has_agents = false
    let last_plain = -1
    let last_has_tail = false
    let of_host = this.#hostLines(hosts, null)
    for (let at = 0; at < bytes.length; lines += 1) {
      const after = scanner.scan(at)
      if (after >= 0 && scanner.host !== of_host.named) of_host = this.#hostLines(hosts, scanner.host)
      if (after < 0 || scanner.at > latest || !this.#take(at, lines, of_host)) {
        otherLines.push(lines, at)
        at = bytes.indexOf(LF, at) + 1
        continue
      }
      at = after
      if (scanner.at < from) from = scanner.at
      if (scanner.at > to) to = scanner.at
      const minute_now = Math.floor(scanner.at / MINUTE_MS)
      if (minute_now !== minute) minutes.push(minute_now)
      minute = minute_now
      if (scanner.user_agent !== '') has_agents = true
      last_plain = lines
      last_has_tail = scanner.has_tail
    }
    const kept = this.#rows.count
    return {
      lines,
      from,
      to,
      has_agents,
      last_plain,
      last_has_tail,
      minutes: Int32Array.from(minutes),
      hosts: [...hosts.values()].filter((one) => one.others + one.kept > 0),
      other_lines: Int32Array.from(otherLines),
      rows: kept === 0 ? null : this.#rows.take(),
      agents: [...this.#agents].map(([agent, days]) => ({ agent, days: [...days] })),
      line_hashes: this.#hashes.slice(0, 3 * kept),
    }
  }

  /** Adds the current line to its class; false: the reader of text must read it, and nothing was added. */
  #take(start: number, index: number, host: HostLines): boolean {
    const { judged: verdict, user_agent, status } = this.#scanner
    if (host.is_own && verdict.automated !== null) {
      if (!this.#keep(start, index, host, verdict, verdict.automated)) return false
      host.kept += 1
    } else {
      host.others += 1
      if (user_agent === '') host.without_agent += 1
    }
    if (!host.has_statuses && isObservedStatus(status)) host.has_statuses = true
    return true
  }

  #keep(start: number, index: number, { host }: HostLines, verdict: AgentVerdict, automated: FileAgent): boolean {
    const { at, status, user_agent } = this.#scanner
    const request = this.#request()
    if (typeof request === 'string') return false
    const client = this.#client()
    const proof = this.#judges.prove({
      at,
      received_at: this.#setting.now,
      user_agent,
      address: client.address,
      attested: true,
      verified_bot: null,
      signature_verified: false,
    })
    if (proof === null) return false
    const known = proof === verdict.proof ? verdict.proved : null
    const agent = known ?? this.#proved(verdict, automated, proof)
    this.#noteAgent(agent, Math.floor(at / DAY_MS), verdict)
    this.#noteHashes(this.#rows.count, Math.floor(at / 1000), client.hash, request, verdict.hash)
    this.#rows.add({
      at,
      host,
      path: request.path,
      path_fidelity: request.path_fidelity,
      path_class: request.path_class,
      status: isObservedStatus(status) ? status : NO_STATUS,
      status_raw: status,
      method: request.method,
      edge_action: null,
      agent,
      line_hash: this.#hasher.of(start, this.#scanner.end, at),
      line_number: index + 1,
    })
    return true
  }

  #proved(verdict: AgentVerdict, automated: FileAgent, proof: string): FileAgent {
    verdict.proof = proof
    verdict.proved = this.#judges.agents.proved(automated, proof)
    return verdict.proved
  }

  /** The request of the line, or its fault, which the reader of text reports. */
  #request(): StoredRequest | RequestFault {
    this.#requests ??= new RememberedBytes(readField, MAX_CACHED)
    const { request_start, request_end } = this.#scanner
    return (
      this.#scanner.requestOf(this.#requests) ?? readField(this.#bytes.toString('latin1', request_start, request_end))
    )
  }

  /** The client, valid until the next line. IPv4 addresses are read each time, because a look-up would take longer. */
  #client(): Client {
    const { client_start, client_end } = this.#scanner
    if (parseV4Bytes(this.#bytes, client_start, client_end, this.#v4.address)) {
      this.#v4.hash.high = hashBytesHigh(this.#bytes, client_start, client_end)
      this.#v4.hash.low = hashBytesLow(this.#bytes, client_start, client_end)
      return this.#v4
    }
    this.#clients ??= new RememberedBytes(readClient, MAX_CACHED)
    return this.#scanner.clientOf(this.#clients) ?? readClient(this.#bytes.toString('latin1', client_start, client_end))
  }

  #noteAgent(agent: FileAgent, day: number, verdict: AgentVerdict): void {
    if (verdict.noted === agent && verdict.noted_day === day && verdict.noted_block === this.#block) return
    verdict.noted = agent
    verdict.noted_day = day
    verdict.noted_block = this.#block
    const days = this.#agents.get(agent)
    if (days === undefined) this.#agents.set(agent, new Set([day]))
    else days.add(day)
  }

  #noteHashes(row: number, second: number, client: TextHash, request: StoredRequest, agent: TextHash): void {
    if (3 * row === this.#hashes.length) {
      const larger = new Int32Array(2 * this.#hashes.length)
      larger.set(this.#hashes)
      this.#hashes = larger
    }
    this.#hashes[3 * row] = joinHashesHigh(second, client.high, request.hash.high, agent.high)
    this.#hashes[3 * row + 1] = joinHashesLow(second, client.low, request.hash.low, agent.low)
    this.#hashes[3 * row + 2] = request.protocol_hash
  }

  /** Null: an agent of the server itself or of Spoor's inspections, whose lines are neither human nor automated. */
  #judge(userAgent: string): AgentVerdict | null {
    if (isDummyConnection(userAgent) || isInspectorAgent(userAgent)) return null
    const automated = this.#judges.agents.judge(userAgent)
    return automated === null ? HUMAN : { ...HUMAN, automated, hash: hashText(automated.agent_key) }
  }

  #hostLines(hosts: Map<string | null, HostLines>, named: string | null): HostLines {
    let entry = hosts.get(named)
    if (entry === undefined) {
      const host = named ?? this.#setting.default_host
      const is_own = belongsTo(host, this.#setting.root_domain)
      entry = { host, named, is_own, others: 0, kept: 0, without_agent: 0, has_statuses: false }
      hosts.set(named, entry)
    }
    return entry
  }
}

const LF = 10

function readField(field: string): StoredRequest | RequestFault {
  return readStoredRequest(unescapeField(field))
}

function readClient(field: string): Client {
  const address = clientText(field)
  return { address, hash: hashText(address) }
}
