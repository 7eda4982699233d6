/**
 * How fast logs are accepted over HTTPS intake, durable before the answer, compared with the engine's own rate of
 * inserting the same facts as JSONEachRow. Senders in a separate process deliver batches that were compressed in
 * advance. Run: npm run bench -- intake [batches of 5,000 records per figure, default 160] [senders, default 4]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { count, rows } from '#evidence/sql.ts'
import { addSite } from '#sites/sites.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { percentile, row } from './parts/figures.ts'
import { insertRate } from './parts/insert-rate.ts'
import { openFloor } from './parts/intake-floor.ts'
import { measureLoopDelay } from './parts/loop-delay.ts'
import { buildSurfaces, openData } from './parts/open-data.ts'

const RECORDS = 5_000
/** Batches before each figure: the reading thread is a new one each time. */
const WARMING = 24
const batches = Number(process.argv[2] ?? 160)
const senders = Number(process.argv[3] ?? 4)
const storedRequests = rows(Type.Object({ requests: count() }))`SELECT count() AS requests FROM spoor.requests FINAL`
const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const sender = new URL('./parts/intake-sender.ts', import.meta.url).pathname

/** What a sender process reports when all of its batches are answered. */
export interface Sent {
  accepted: number
  records: number
  milliseconds: number[]
  seconds: number
}

try {
  console.log(`${batches} batches of ${RECORDS} records, ${senders} at a time\n`)
  console.log(row('records', 'per s', 'p50 ms', 'p99 ms', 'own / wall ms', 'own µs/record'))
  const some = await measure('20 % crawlers', 0.2, '')
  const all = await measure('100 % crawlers', 1, '')
  const named = await measure('100 % crawlers, each with an id', 1, 'ids')
  const floor = await measureFloor('handed on and answered, nothing else')
  const engine = await insertRate(join(folder, 'engine'), batches, RECORDS)
  console.log(row('the engine alone, the same facts', engine.toFixed(0), '', '', ''))
  console.log(`\n100 % crawlers is ${(all.rate / engine).toFixed(2)} of the engine's own rate`)
  const longest = Math.max(some.longest, all.longest, named.longest)
  console.log(
    `the event loop was held up for at most ${longest.toFixed(1)} ms; by handing on alone ${floor.longest.toFixed(1)} ms`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, crawlers: number, ids: string) {
  const data = mkdtempSync(join(folder, 'data-'))
  const installation = await openData(data)
  const crawler = await installation.crawlers()
  const http = buildSurfaces(installation, crawler)
  try {
    const site = await addSite(installation.operator, { ...installation.operator, domain: 'example.com' })
    const { token } = await addIntakeSource(installation.operator, { site_id: site.id, name: 'bench' })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    // One record fewer, so that none of these batches is repeated.
    const warm = await deliver(null, url, [token.secret, WARMING, RECORDS - 1, senders, crawlers, ''])
    const { reported, ...figures } = await deliver(name, url, [token.secret, batches, RECORDS, senders, crawlers, ids])
    const [stored] = await crawler.evidence.all(storedRequests)
    const accepted = warm.reported.accepted + reported.accepted
    if (stored?.requests !== accepted) throw new Error(`${accepted} were acknowledged, ${stored?.requests} are stored`)
    return figures
  } finally {
    await http.close()
    await installation.close()
  }
}

async function measureFloor(name: string) {
  const floor = await openFloor(join(folder, 'floor'), RECORDS)
  try {
    return await deliver(name, floor.url, ['none', batches, RECORDS, senders, 1, ''])
  } finally {
    await floor.close()
  }
}

/** Lets a sender deliver all of its batches, and prints a line of figures if it has a name. */
async function deliver(name: string | null, url: string, args: (string | number)[]) {
  const child = fork(sender, [url, ...args.map(String)])
  await once(child, 'message')
  globalThis.gc?.()
  const heldUp = measureLoopDelay()
  child.send('go')
  const [reported] = (await once(child, 'message')) as [Sent]
  const { longest, own_longest, own_us } = heldUp()
  const rate = reported.records / reported.seconds
  if (name !== null)
    console.log(
      row(
        name,
        rate.toFixed(0),
        percentile(reported.milliseconds, 50).toFixed(0),
        percentile(reported.milliseconds, 99).toFixed(0),
        `${own_longest.toFixed(1)} / ${longest.toFixed(1)}`,
        (own_us / reported.records).toFixed(1),
      ),
    )
  return { reported, rate, longest }
}
