/**
 * A correct sender: it delivers every batch until it is acknowledged, whatever happens to the service in the meantime.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { DAY_MS } from '#clock.ts'

export interface Prepared {
  body: Buffer
  /** Requests of crawlers in it. */
  crawlers: number
  acknowledged: boolean
}

const GPTBOT = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const RECORDS = 400

/** Batches of one round around a day's end; the records of every other one have ids. No two batches are the same. */
export function prepareBatches(round: number, count: number, day_start: number): Prepared[] {
  return Array.from({ length: count }, (_, number) => {
    const records = Array.from({ length: RECORDS }, (_, index) => ({
      timestamp: day_start + DAY_MS - 60_000 + index * 300,
      path: `/round-${round}/${number}/${index % 7}`,
      method: 'GET',
      status: index % 5 === 0 ? 404 : 200,
      user_agent: index % 2 === 0 ? GPTBOT : PERSON,
      ...(number % 2 === 0 ? {} : { id: `${round}-${number}-${index}` }),
    }))
    const body = gzipSync(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    return { body, crawlers: RECORDS / 2, acknowledged: false }
  })
}

/**
 * Delivers all of them, some at a time; `to` is called for each attempt, because a restarted service has another
 * address.
 */
export async function deliverAll(
  batches: readonly Prepared[],
  to: () => { url: string; token: string },
  senders = 3,
): Promise<void> {
  const waiting = batches.values()
  const deliverNext = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await deliver(next.value, to)
  }
  await Promise.all(Array.from({ length: senders }, deliverNext))
}

async function deliver(batch: Prepared, to: () => { url: string; token: string }): Promise<void> {
  while (!batch.acknowledged) {
    const { url, token } = to()
    const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip' }
    const answer = await fetch(`${url}/intake/logs`, { method: 'POST', headers, body: batch.body }).catch(() => null)
    const reported = answer?.status === 200 ? ((await answer.json().catch(() => null)) as Reported | null) : null
    if (reported !== null) {
      if (reported.accepted + reported.duplicates !== batch.crawlers)
        throw new Error(`answered ${JSON.stringify(reported)}`)
      batch.acknowledged = true
    } else if (answer !== null && answer.status < 500 && answer.status !== 429 && answer.status !== 200) {
      throw new Error(`answered ${answer.status}: ${await answer.text()}`)
    } else await pause(RETRY_MS)
  }
}

interface Reported {
  accepted: number
  duplicates: number
}

const RETRY_MS = 50
