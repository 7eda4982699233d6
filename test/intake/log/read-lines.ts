import type { EdgeAction } from '#intake/log/edge-action.ts'
import { type LineBatch, readLines } from '#intake/log/lines.ts'
import { type LineKind, LogReader } from '#intake/log/read-line.ts'
import { clientOf, type MalformedCode, requestOf } from '#intake/log/record.ts'

export async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** All that a stream gives, as an array. */
export async function gather<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of stream) all.push(value)
  return all
}

export async function batchesOf(bytes: Buffer, size = 65_536): Promise<LineBatch[]> {
  return gather(readLines(chunked(bytes, size)))
}

export interface ReadLine {
  line_number: number
  line: string
  kind: LineKind
  malformed: MalformedCode | null
  at: string
  host: string | null
  status: number | null
  status_raw: number | null
  user_agent: string
  request: string
  client: string
  edge_action: EdgeAction | null
}

/** Everything that a reader says about a file's bytes, line by line. */
export async function readAll(file: Buffer | string, size = 65_536, timezone = 'UTC'): Promise<ReadLine[]> {
  const reader = new LogReader(timezone)
  const read: ReadLine[] = []
  for (const batch of await batchesOf(Buffer.from(file as string), size)) {
    reader.load(batch)
    for (let kind = reader.next(); kind !== null; kind = reader.next()) {
      const { record } = reader
      const malformed = kind === 'malformed' ? reader.malformed : null
      const { host, status, status_raw, user_agent } = record
      const at = kind === 'record' ? new Date(record.at).toISOString() : ''
      const request = kind === 'record' ? requestOf(record) : ''
      const client = kind === 'record' ? clientOf(record) : ''
      const edge_action = kind === 'record' ? record.edge_action : null
      const { line_number } = reader
      read.push({
        line_number,
        line: reader.line(),
        kind,
        malformed,
        at,
        host,
        status,
        status_raw,
        user_agent,
        request,
        client,
        edge_action,
      })
    }
  }
  return read
}

/** The single thing a reader says about one line. */
export async function readOne(line: string, timezone = 'UTC'): Promise<ReadLine> {
  const [only] = await readAll(`${line}\n`, 65_536, timezone)
  if (only === undefined) throw new Error('the line is not a record')
  return only
}
