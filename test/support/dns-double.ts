/**
 * A double of a name server: speaks DNS over UDP on loopback (RFC 1035) and answers PTR, A, AAAA and NS questions from
 * tables.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface DnsDouble {
  /** `address:port`, as SPOOR_DNS_SERVERS takes it. */
  server: string
  /** Names of addresses and addresses of names; a name that is not in it does not exist. */
  records: Map<string, string[]>
  /** Names of which others are the canonical ones. */
  aliases: Map<string, string>
  /** Names of which it gives other addresses each time, until the last ones stay. */
  turns: Map<string, string[][]>
  /** Names of which it says that it cannot answer (SERVFAIL). */
  failing: Set<string>
  /** Domains that it knows name servers of. */
  domains: Set<string>
  /** While true, no question is answered. */
  silent: boolean
  /** Questions so far, `TYPE name`. */
  asked: string[]
  close(): Promise<void>
}

const TYPES: Record<number, string> = { 1: 'A', 2: 'NS', 12: 'PTR', 28: 'AAAA' }
const CNAME = 5
const NO_ERROR = 0
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3

export async function openDnsDouble(): Promise<DnsDouble> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const double: DnsDouble = {
    server: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    aliases: new Map(),
    turns: new Map(),
    failing: new Set(),
    domains: new Set(['yandex.com']),
    silent: false,
    asked: [],
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query)
    double.asked.push(`${TYPES[type] ?? type} ${name}`)
    if (double.silent) return
    const reply = (status: number, answers: readonly string[], answered = type) =>
      socket.send(answerTo(query, end, answered, status, answers), peer.port, peer.address)
    const alias = double.aliases.get(name)
    if (alias !== undefined) return reply(NO_ERROR, [alias], CNAME)
    if (double.failing.has(name)) return reply(SERVER_FAILURE, [])
    const delegated = TYPES[type] === 'NS' && double.domains.has(name)
    const known = delegated ? [`ns1.${name}`] : (takeTurn(double, name, type) ?? double.records.get(name))
    const answers = (known ?? []).filter((value) => delegated || typeOf(value) === TYPES[type])
    reply(known === undefined ? NO_SUCH_NAME : NO_ERROR, answers)
  })
  return double
}

/** A question for IPv6 is part of the turn that one for IPv4 takes. */
function takeTurn({ turns }: DnsDouble, name: string, type: number): string[] | undefined {
  const left = turns.get(name)
  return TYPES[type] === 'A' && left !== undefined && left.length > 1 ? left.shift() : left?.[0]
}

/** The name under which the names of an address are asked for. */
export function reverseOf(address: string): string {
  return `${address.split('.').reverse().join('.')}.in-addr.arpa`
}

function typeOf(value: string): string {
  if (/^[\d.]+$/.test(value)) return 'A'
  return value.includes(':') ? 'AAAA' : 'PTR'
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer, end: number, type: number, status: number, answers: readonly string[]): Buffer {
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  // An answer of a recursive server, with what was asked and no further sections.
  header.writeUInt16BE(0x8180 | status, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(answers.length, 6)
  const records = answers.map((value) => {
    const data = dataOf(value)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

function dataOf(value: string): Buffer {
  if (typeOf(value) === 'A') return Buffer.from(value.split('.').map(Number))
  if (typeOf(value) === 'AAAA')
    return Buffer.from(
      value.split(':').flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
    )
  return Buffer.concat([
    ...value.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
}
