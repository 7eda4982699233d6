/**
 * How many of the same facts per second the engine inserts as JSONEachRow, prepared in advance, one insert per batch,
 * with the same durability.
 */
import { randomUUID } from 'node:crypto'
import { openSession } from '#evidence/chdb/open-session.ts'
import { openChdb } from '#evidence/chdb/store.ts'
import { agentKey } from '#intake/facts/fact.ts'
import { intakeBatch } from './intake-batch.ts'

export async function insertRate(folder: string, batches: number, records: number): Promise<number> {
  const engine = await openEngine(folder)
  try {
    const prepared = Array.from({ length: batches }, (_, number) => factRows(number, records))
    const started = performance.now()
    for (const values of prepared) await engine.insert(values, records)
    return (batches * records) / ((performance.now() - started) / 1000)
  } finally {
    engine.close()
  }
}

/** The engine with the tables of the service, without the service. */
export async function openEngine(folder: string) {
  // Creates the tables with the settings of the service.
  await (await openChdb({ folder })).close()
  const session = openSession(folder, ['--async_insert=0', '--insert_deduplicate=0', '--session_timezone=UTC'])
  return {
    async insert(values: Buffer, records: number): Promise<void> {
      const { rowsWritten } = await session.insert({ table: 'spoor.requests', values, format: 'JSONEachRow' })
      if (rowsWritten !== records) throw new Error(`of ${records} rows the engine wrote ${rowsWritten}`)
    },
    close: () => session.close(),
  }
}

const SITE = randomUUID()
const SOURCE = randomUUID()

/** The facts of a batch in which every record is of a crawler. */
export function factRows(number: number, records: number): Buffer {
  const delivery_id = randomUUID()
  const lines = intakeBatch(number, records, { crawler_share: 1 }).trimEnd().split('\n')
  const facts = lines.map((line, index) => {
    const record = JSON.parse(line) as Record<string, string>
    const at = String(record.timestamp).replace('T', ' ').slice(0, 23)
    return JSON.stringify({
      site_id: SITE,
      day: at.slice(0, 10),
      event: String((BigInt(number) << 64n) + BigInt(index)),
      at,
      precision: 'exact',
      source_id: SOURCE,
      delivery_id,
      reading: 0,
      requests: 1,
      provider_estimate: null,
      host: record.host,
      path: record.path,
      path_fidelity: 'exact',
      path_class: 'content',
      status: record.status,
      status_raw: record.status,
      method: record.method,
      user_agent: record.user_agent,
      agent_key: agentKey(String(record.user_agent)),
      received_at: at,
    })
  })
  return Buffer.from(`${facts.join('\n')}\n`)
}
