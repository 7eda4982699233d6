/**
 * The short form of bench/kill-rounds.ts: a service that is killed again and again, and a sender that delivers until it
 * is answered.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { deliverAll, type Prepared, prepareBatches } from '../../../bench/parts/retrying-sender.ts'
import { preparedFolder, runJson } from '../../support/cli.ts'
import { serveProcess } from '../../support/processes.ts'

const ROUNDS = 4
const QUERY = '?window=30d&purpose=search,assistant,training,unknown'

interface Answered {
  observed_request_count: number | null
  daily: { date: string; observed_request_count: number }[]
}

test('nothing acknowledged is lost, nothing is doubled, and roll-ups equal facts', { timeout: 300_000 }, async () => {
  const { data } = await preparedFolder()
  const here = ['--data', data]
  await runJson(['site', 'add', 'example.com', ...here])
  const { token } = await runJson<{ token: { secret: string } }>([
    ...['source', 'add', 'example.com', '--name', 'web1', ...here],
  ])
  const { secret: key } = await runJson<{ secret: string }>(['key', 'create', '--name', 'reading', ...here])
  const today = dayStart(utcDay(Date.now()))
  const bare = { bare: true }
  let server = await serveProcess(data, [], bare)
  const count = async () => {
    const { status, body } = await server.get(`/v1/sites/example.com/performance${QUERY}`, key)
    expect(status).toBe(200)
    return body as unknown as Answered
  }

  const all: Prepared[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const batches = prepareBatches(round, 12, today - (round + 3) * DAY_MS)
    all.push(...batches)
    const delivered = deliverAll(batches, () => ({ url: server.url, token: token.secret }))
    await pause(60 + round * 90)
    server.process.kill('SIGKILL')
    await server.ended
    const acknowledged = sum(all.filter((batch) => batch.acknowledged))
    server = await serveProcess(data, [], bare)
    // Null while nothing at all is covered.
    expect(Number((await count()).observed_request_count)).toBeGreaterThanOrEqual(acknowledged)
    await delivered
    expect((await count()).observed_request_count).toBe(sum(all))
  }

  // Retries of everything store nothing.
  const again = all.map((batch) => ({ ...batch, acknowledged: false }))
  await deliverAll(again, () => ({ url: server.url, token: token.secret }))
  const from_facts = await count()
  expect(from_facts.observed_request_count).toBe(sum(all))
  // A start rebuilds at once what is dirty.
  server.process.kill('SIGTERM')
  await server.ended
  server = await serveProcess(data, [], bare)
  await settled(data)
  const from_roll_ups = await count()
  expect(from_roll_ups.daily).toEqual(from_facts.daily)
  expect(from_roll_ups.daily).toHaveLength(2 * ROUNDS - (ROUNDS - 1))
})

function sum(batches: readonly Prepared[]): number {
  return batches.reduce((total, { crawlers }) => total + crawlers, 0)
}

/** Waits until a running service has rebuilt every day. */
async function settled(data: string): Promise<void> {
  for (;;) {
    const control = new DatabaseSync(join(data, 'control.sqlite'), { readOnly: true })
    const { days } = control.prepare('SELECT count(*) AS days FROM dirty_days WHERE kind = ?').get('crawlers') as {
      days: number
    }
    control.close()
    if (days === 0) return
    await pause(500)
  }
}
