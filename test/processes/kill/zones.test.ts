/** kill -9 at any moment of a poll: the next polls make whole what broke off, and no hour counts twice (rules 3, 4). */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { CLAUDEBOT, EVERY_PURPOSE, GPTBOT } from '../../intake/cloudflare/zone-service.ts'
import { startChild } from '../../support/child.ts'
import { type CloudflareStandIn, startCloudflareStandIn } from '../../support/cloudflare-stand-in.ts'
import { makeTestFolder } from '../../support/control.ts'
import { openTestService } from '../../support/service.ts'

const CHILD = new URL('../../intake/cloudflare/children/poll.ts', import.meta.url)
const NOW = '2026-03-10T12:06:00Z'
const END = '2026-03-10T15:06:00Z'
const HOURS = 74

let cloudflare: CloudflareStandIn
let total = 0
let whole: unknown
beforeAll(async () => {
  cloudflare = await startCloudflareStandIn(() => Date.parse(NOW))
  for (let hour = 1; hour <= HOURS; hour++) {
    const at = Date.parse('2026-03-10T15:00:00Z') - hour * HOUR_MS
    for (let request = 0; request <= hour % 7; request++) {
      const user_agent = request % 2 === 0 ? GPTBOT : CLAUDEBOT
      cloudflare.requests.push({ at: new Date(at + request * 60_000).toISOString(), user_agent, path: `/${hour % 3}` })
      total++
    }
  }
  const folder = makeTestFolder()
  await polledToTheEnd(folder)
  whole = await seen(folder)
})
afterAll(() => cloudflare.close())

const start = (folder: string) => startChild(CHILD, folder, cloudflare.url, cloudflare.token, NOW)

async function polledToTheEnd(folder: string): Promise<void> {
  const child = start(folder)
  while ((await child.line()) !== 'done');
}

/** Everything that can be seen of the site, without the ids that are drawn anew each time; the folder goes. */
async function seen(folder: string) {
  const service = await openTestService(END, folder)
  try {
    await service.createKey()
    const paths = ['performance', 'crawlers', 'top-pages'].map((name) => `${name}?window=7d&${EVERY_PURPOSE}`)
    const asked = async () => {
      const answers = await Promise.all(
        [...paths, 'sources'].map((path) => service.ask(`/v1/sites/example.com/${path}`)),
      )
      for (const answer of answers) expect(answer.status, answer.text).toBe(200)
      return JSON.parse(JSON.stringify(answers.map(({ json }) => json)).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'))
    }
    const answers = await asked()
    await service.rebuild()
    expect(await asked()).toEqual(answers)
    const { db } = service.installation.control
    const coverage = await db
      .selectFrom('coverage_intervals')
      .select(['host', 'from_at', 'to_at', 'quality', 'reason', 'is_backfill', 'sampling'])
      .orderBy('from_at')
      .execute()
    return { answers, coverage }
  } finally {
    await service.close()
  }
}

type Moment = (control: DatabaseSync) => boolean
const number = (control: DatabaseSync, statement: string) => Number(control.prepare(statement).get()?.n)
const random = (most: number) => Math.floor(Math.random() * most)
const hoursCount =
  (hours: number): Moment =>
  (control) =>
    number(control, 'SELECT count(*) AS n FROM hour_readings') >= hours
const writing: Moment = (control) => number(control, "SELECT count(*) AS n FROM deliveries WHERE state = 'writing'") > 0
const readAgain: Moment = (control) =>
  number(control, "SELECT count(*) AS n FROM hour_readings WHERE read_at > unixepoch('2026-03-10T12:30:00Z') * 1000") >
    0 && writing(control)

async function killedPoll(folder: string, moment: Moment): Promise<void> {
  const child = start(folder)
  const file = join(folder, 'control.sqlite')
  while (!existsSync(file)) await pause(1)
  const control = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  const isThere = () => {
    try {
      return moment(control)
    } catch {
      // The layout is not there yet.
      return false
    }
  }
  while (child.process.exitCode === null && !isThere()) await pause(1)
  control.close()
  expect(child.process.exitCode, 'it was still running').toBeNull()
  await child.kill()
}

describe('kill -9 during polls', { timeout: 120_000 }, () => {
  test('the undisturbed polls count every request, from facts and from roll-ups', () => {
    expect(whole).toMatchObject({
      answers: [{ observed_request_count: total }, {}, {}, { sources: [{ connection_status: 'live' }] }],
    })
  })

  test.each([
    ['while the first hours are written', [writing]],
    ['somewhere in the backfill', [hoursCount(1 + random(70))]],
    ['while hours are read again', [readAgain]],
    ['twice', [hoursCount(20), readAgain]],
  ] as [string, Moment[]][])(
    '%s: the next polls give the same answers and coverage as undisturbed ones',
    async (_when, moments) => {
      const folder = makeTestFolder()
      for (const moment of moments) await killedPoll(folder, moment)
      await polledToTheEnd(folder)
      expect(await seen(folder)).toEqual(whole)
    },
  )
})
