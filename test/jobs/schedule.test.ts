import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { writeSetting } from '#control/settings.ts'
import { checkJobs, readJobs } from '#health/jobs.ts'
import type { Job, JobEnded, JobLease } from '#jobs/job.ts'
import { pauseAfter } from '#jobs/run-job.ts'
import { type Schedule, type ScheduleContext, startSchedule } from '#jobs/schedule.ts'
import { failed } from '#outgoing/refused.ts'
import { type FakeClock, fakeClock } from '../support/clock.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

const NOW = '2026-03-10T12:00:00Z'

let store: TestControl
let clock: FakeClock
let ended: JobEnded[]
let log: string
const schedules: Schedule[] = []
beforeEach(async () => {
  store = await openTestControl()
  clock = fakeClock(NOW)
  ended = []
  log = ''
})
afterEach(async () => {
  for (const schedule of schedules.splice(0)) await schedule.stop()
  await store.remove()
})

const logger = () => pino({ level: 'debug' }, { write: (line: string) => (log += line) })

/** A process of its own as far as the control store knows; it looks only when the test nudges it. */
function start(jobs: readonly Job[], options: Partial<ScheduleContext> = {}): Schedule {
  const { control } = store
  const onJob = (one: JobEnded) => ended.push(one)
  const schedule = startSchedule(
    {
      control,
      clock,
      log: logger(),
      onJob,
      is_clock_simulated: false,
      look_every_ms: HOUR_MS,
      random: () => 0.5,
      ...options,
    },
    jobs,
  )
  schedules.push(schedule)
  return schedule
}

interface Run {
  signal: AbortSignal
  held: JobLease
  end(error?: Error): void
}

/** A job whose runs end when the test says so; `next` is the next run that begins. */
function manual(over: Partial<Job> = {}): { job: Job; runs: Run[]; next(): Promise<Run> } {
  const runs: Run[] = []
  const waiting: ((run: Run) => void)[] = []
  const job: Job = {
    name: 'poll',
    every_ms: HOUR_MS,
    rests_under_simulated_clock: false,
    run: (signal, held) =>
      new Promise((resolve, reject) => {
        const run = { signal, held, end: (error?: Error) => (error === undefined ? resolve(null) : reject(error)) }
        signal.addEventListener('abort', () => reject(new Error('was asked to end')))
        runs.push(run)
        waiting.shift()?.(run)
      }),
    ...over,
  }
  return { job, runs, next: () => new Promise((resolve) => waiting.push(resolve)) }
}

const row = () => store.control.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
/** Until so many runs have been reported. */
async function endings(count: number): Promise<void> {
  while (ended.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

const reported = (run: Run) =>
  run.signal.aborted ? null : new Promise((resolve) => run.signal.addEventListener('abort', resolve))

describe('a job', () => {
  test('begins at once, and again a period after it began', async () => {
    const { job, runs, next } = manual()
    const begun = next()
    const schedule = start([job])
    const first = await begun
    clock.advance(10 * MINUTE_MS)
    first.end()
    await endings(1)
    expect(await row()).toMatchObject({
      name: 'poll',
      attempts: 0,
      lease_owner: null,
      lease_until: null,
      last_error: null,
      last_started_at: Date.parse(NOW),
      last_succeeded_at: clock.now(),
      last_ended_at: clock.now(),
      next_at: Date.parse(NOW) + HOUR_MS,
    })
    clock.advance(50 * MINUTE_MS - 1)
    await schedule.nudge()
    expect(runs).toHaveLength(1)
    clock.advance(1)
    const again = next()
    await schedule.nudge()
    await again
  })

  test('does not run twice at the same time, in this or another process', async () => {
    const one = manual()
    const begun = one.next()
    const schedule = start([one.job])
    await begun
    const two = manual()
    const other = start([two.job], { control: await store.open() })
    clock.advance(30_000)
    await schedule.nudge('poll')
    await other.nudge('poll')
    expect([one.runs.length, two.runs.length]).toEqual([1, 0])
  })

  test('requested while it runs, runs once more', async () => {
    const { job, next } = manual()
    const begun = next()
    const schedule = start([job])
    const first = await begun
    clock.advance(1_000)
    await schedule.nudge('poll')
    first.end()
    await endings(1)
    const again = next()
    await schedule.nudge()
    await again
  })

  test('whose lease has expired is taken over; the old run is notified, cannot write, and its end changes nothing', async () => {
    const one = manual()
    const begun = one.next()
    start([one.job], { lease_ms: 60 })
    const old = await begun
    const two = manual()
    const taken = two.next()
    clock.advance(61)
    const other = start([two.job], { control: await store.open(), lease_ms: HOUR_MS })
    await other.nudge()
    await taken
    const held = await row()
    await reported(old)
    expect(old.signal.reason).toMatchObject({ name: 'LeaseLost' })
    await endings(1)
    expect(ended).toMatchObject([{ job: 'poll', failed: true }])
    const write = store.control.transaction(async (trx) => {
      await old.held.check(trx)
      await writeSetting(trx, 'written', 'late')
    })
    await expect(write).rejects.toThrow(/has lost its lease/)
    expect(await row()).toEqual(held)
    expect(held).toMatchObject({ attempts: 1, last_error: expect.stringMatching(/did not report its end/) })
  })

  test('that another run has, whatever this one’s clock says, is reported at the next renewal', async () => {
    const { job, next } = manual()
    const begun = next()
    start([job], { lease_ms: 60 })
    const run = await begun
    await store.control.db.updateTable('jobs').set({ lease_owner: 'another' }).execute()
    await reported(run)
    expect(run.signal.reason).toMatchObject({ name: 'LeaseLost' })
    await endings(1)
    expect(await row()).toMatchObject({ lease_owner: 'another', attempts: 0 })
  })

  test('that takes longer than its limit is reported and counts as failed', async () => {
    const { job, next } = manual({ limit_ms: 20 })
    const begun = next()
    start([job])
    await begun
    await endings(1)
    expect(await row()).toMatchObject({
      attempts: 1,
      last_error: 'It took longer than 0.02 s and was stopped.',
      lease_owner: null,
    })
  })

  test('that is stopped is released, due for the next process, and has not failed', async () => {
    const { job, next } = manual()
    const begun = next()
    const schedule = start([job])
    await begun
    clock.advance(1_000)
    await schedule.stop()
    expect(await row()).toMatchObject({ attempts: 0, lease_owner: null, next_at: clock.now(), last_succeeded_at: null })
    const again = next()
    start([job])
    await again
  })
})

describe('a job that fails', () => {
  test('is tried again after growing pauses, and one success ends them', async () => {
    const { job, runs, next } = manual()
    const begun = next()
    const schedule = start([job])
    await begun
    const pauses: number[] = []
    for (let run = 1; run <= 9; run++) {
      runs.at(-1)?.end(new Error(`failure ${run}`))
      await endings(run)
      const { attempts, last_error, next_at } = await row()
      expect({ attempts, last_error }).toEqual({ attempts: run, last_error: `failure ${run}` })
      pauses.push((next_at - clock.now()) / 1_000)
      clock.set(next_at - 1)
      await schedule.nudge()
      expect(runs).toHaveLength(run)
      const again = next()
      clock.advance(1)
      await schedule.nudge()
      await again
    }
    // Half of 30 s doubling, as the random numbers of this test say, up to half of its period.
    expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 960, 1_800, 1_800])
    runs.at(-1)?.end()
    await endings(10)
    expect(await row()).toMatchObject({ attempts: 0, last_error: null, next_at: clock.now() + HOUR_MS })
  })

  test('waits for a random part of the pause, so that processes do not start at once', () => {
    const most = (attempts: number) => pauseAfter(attempts, HOUR_MS, () => 0.999999)
    expect([1, 2, 3, 50].map(most).map((ms) => Math.round(ms / 1_000))).toEqual([30, 60, 120, 3_600])
    expect(pauseAfter(5, HOUR_MS, () => 0)).toBe(1_000)
    expect(pauseAfter(1_000_000, 10_000, () => 0.999999)).toBe(10_000)
  })

  test('is recorded in full, and in the log without the text of a refusal', async () => {
    const { job, next } = manual()
    const begun = next()
    start([job])
    const run = await begun
    run.end(failed('timeout', 'vendor.test gave no answer'))
    await endings(1)
    expect(await row()).toMatchObject({ last_error: 'vendor.test gave no answer' })
    expect(log).toMatch(/"code":"timeout"/)
    expect(log).not.toMatch(/vendor/)
  })

  test('does not delay the others', async () => {
    const bad = manual({ name: 'bad', run: () => Promise.reject(new Error('no')) })
    const good = manual({ name: 'good' })
    const begun = good.next()
    start([bad.job, good.job])
    await begun
    await endings(1)
    expect(ended).toMatchObject([{ job: 'bad', failed: true }])
  })
})

describe('under another clock', () => {
  test('jobs that delete, alert or send requests pause, the others run', async () => {
    const outside = manual({ name: 'outside', rests_under_simulated_clock: true })
    const inside = manual({ name: 'inside' })
    const begun = inside.next()
    const schedule = start([outside.job, inside.job], { is_clock_simulated: true })
    await begun
    await schedule.nudge('outside')
    expect(outside.runs).toEqual([])
    expect(schedule.jobs).toEqual(['inside'])
  })

  test.each(['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])(
    'what a clock at %s left behind holds nothing up',
    async (then) => {
      const before = manual()
      clock.set(then)
      const begun = before.next()
      start([before.job])
      await begun
      // Killed: neither ended nor renewed.
      clock.set(NOW)
      const after = manual()
      const again = after.next()
      const schedule = start([after.job], { control: await store.open() })
      const run = await again
      run.end()
      await endings(1)
      expect((await row()).next_at).toBe(Date.parse(NOW) + HOUR_MS)
      clock.set(then)
      const once_more = after.next()
      await schedule.nudge()
      await once_more
    },
  )
})

describe('the doctor and the metrics see', () => {
  const service = { metrics: 'off', has_watchdog: true, leased_jobs: ['poll'] } as const
  const found = async (running = true) => {
    const findings = await checkJobs({ control: store.control, clock, service: running ? service : null })
    return findings.map(({ code, message }) => `${code} ${message}`)
  }
  const shown = () => readJobs({ control: store.control, clock })

  test('a job that runs, and one that succeeded', async () => {
    const { job, next } = manual()
    const begun = next()
    start([job])
    const run = await begun
    expect(await shown()).toEqual([{ name: 'poll', failures: 0, is_running: true, success_age_ms: null }])
    expect(await found()).toEqual([expect.stringMatching(/^jobs /)])
    run.end()
    await endings(1)
    clock.advance(5_000)
    expect(await shown()).toEqual([{ name: 'poll', failures: 0, is_running: false, success_age_ms: 5_000 }])
  })

  test('one that failed three times in a row, with its message without control characters', async () => {
    const { job } = manual({ run: () => Promise.reject(new Error('said\u001b[31m\u202e "no"')) })
    const schedule = start([job])
    for (let run = 1; run <= 3; run++) {
      await endings(run)
      expect(await found()).toEqual([
        expect.stringMatching(run < 3 ? /^jobs .*tried again: poll \(/ : /^job_failing .*poll \(3 times in a row/),
      ])
      clock.advance(HOUR_MS)
      if (run < 3) await schedule.nudge()
    }
    expect((await found()).join()).toContain(String.raw`last: "said [31m  \"no\""`)
    expect(await found(false)).toHaveLength(1)
    expect(await shown()).toMatchObject([{ failures: 3 }])
  })

  test('one whose process vanished, and one that is never started', async () => {
    const { job, next } = manual()
    const begun = next()
    start([job])
    await begun
    clock.advance(3 * MINUTE_MS)
    expect(await found()).toEqual([
      expect.stringMatching(/^job_stuck Runs that have not ended: poll \(begun 2026-03-10T12:00/),
    ])
    expect(await found(false)).toEqual([])
    await store.control.db
      .updateTable('jobs')
      .set({ lease_owner: null, lease_until: null, next_at: clock.now() })
      .execute()
    clock.advance(15 * MINUTE_MS)
    expect(await found()).toEqual([expect.stringMatching(/^jobs /)])
    clock.advance(1)
    expect(await found()).toEqual([expect.stringMatching(/^job_overdue Overdue: poll/)])
  })
})

describe('on one of several nodes', () => {
  test('a job of the process runs on each, without a lease, and at once on request', async () => {
    const runs = { a: 0, b: 0 }
    const job = (node: 'a' | 'b'): Job => ({
      name: 'note_key_uses',
      every_ms: MINUTE_MS,
      rests_under_simulated_clock: false,
      runs_on_each_node: true,
      run: async () => void runs[node]++,
    })
    const [a, b] = [start([job('a')], { is_node: true }), start([job('b')], { is_node: true })]
    await expect.poll(() => runs).toEqual({ a: 1, b: 1 })
    await a.nudge()
    expect(runs).toEqual({ a: 1, b: 1 })
    await a.nudge('note_key_uses')
    await expect.poll(() => runs).toEqual({ a: 2, b: 1 })
    clock.advance(MINUTE_MS)
    await b.nudge()
    await expect.poll(() => runs).toEqual({ a: 2, b: 2 })
    expect(await readJobs({ control: store.control, clock })).toEqual([])
  })

  test('no job starts while the clock of the node differs; running ones continue', async () => {
    let is_apart = false
    const isClockWrong = () => is_apart
    const leased = manual()
    const of_process = manual({ name: 'clear_imports', runs_on_each_node: true, every_ms: MINUTE_MS })
    const begun = Promise.all([leased.next(), of_process.next()])
    const schedule = start([leased.job, of_process.job], { is_node: true, isClockWrong })
    const [first, second] = await begun
    is_apart = true
    second.end()
    await endings(1)
    clock.advance(MINUTE_MS)
    for (const name of ['poll', 'clear_imports', undefined]) await schedule.nudge(name)
    expect([leased.runs.length, of_process.runs.length]).toEqual([1, 1])
    expect(log.match(/no job starts/g)).toHaveLength(1)
    first.end()
    await endings(2)
    await schedule.nudge('poll')
    expect(leased.runs).toHaveLength(1)
    is_apart = false
    const again = Promise.all([leased.next(), of_process.next()])
    await schedule.nudge()
    await again
  })

  test('a node whose clock is two minutes ahead or behind does not take a lease in force', async () => {
    const one = manual()
    const begun = one.next()
    start([one.job], { is_node: true })
    await begun
    for (const ahead of [2 * MINUTE_MS, -2 * MINUTE_MS]) {
      const other = manual()
      const wrong = { ...clock, now: () => clock.now() + ahead }
      const schedule = start([other.job], { is_node: true, clock: wrong, control: await store.open() })
      await schedule.nudge()
      expect(other.runs).toEqual([])
    }
  })

  test('a start takes over no job that another node runs', async () => {
    const { job, runs, next } = manual({ belongs_to_folder: true })
    start([job], { is_node: true })
    await next()
    const other = start([job], { is_node: true })
    await other.nudge()
    expect(runs).toHaveLength(1)
    runs[0]?.end()
  })
})
