/** Real processes on one control store: SQLite and PostgreSQL. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startChild, type TestChild } from '../support/child.ts'
import { openTestControl, type TestControl } from '../support/control.ts'

let store: TestControl
const children: TestChild[] = []
beforeEach(async () => {
  store = await openTestControl()
})
afterEach(async () => {
  for (const child of children.splice(0)) await child.kill()
  await store.remove()
})

/** A run that lasts longer than the test; only its end by another's doing can end it. */
const ENDLESS_MS = 600_000
const LONG_LEASE_MS = 60_000

function start(lease_ms: number, run_ms: number): TestChild {
  const child = startChild(
    new URL('../jobs/run-jobs.child.ts', import.meta.url),
    store.place,
    String(lease_ms),
    String(run_ms),
  )
  children.push(child)
  return child
}

async function linesUntil(child: TestChild, last: string): Promise<string[]> {
  const lines: string[] = []
  for (let line = ''; line !== last; lines.push(line)) line = await child.line()
  return lines
}

const job = async () => store.control.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()

describe('of several processes on one store', () => {
  test('one at a time runs the job: no run begins before the one before it has ended', async () => {
    const all = [start(LONG_LEASE_MS, 30), start(LONG_LEASE_MS, 30), start(LONG_LEASE_MS, 30)]
    // Each has taken its turns; only then are they asked to stop.
    const turns = await Promise.all(all.map(async (child) => [await child.line(), await child.line()]))
    for (const child of all) child.process.stdin?.write('stop\n')
    const rest = await Promise.all(all.map((child) => linesUntil(child, 'stopped')))
    for (const [child, first] of turns.entries()) {
      const numbers = [...first, ...(rest[child] ?? [])].slice(0, -1).map((line) => Number(line.split(' ')[1]))
      const begun = numbers.filter((_, at) => at % 2 === 0)
      // What counts in between would be another run's.
      expect(numbers).toEqual(begun.flatMap((number) => [number, number + 1]))
    }
    expect(await job()).toMatchObject({ attempts: 0, lease_owner: null, lease_until: null })
  })

  test('a killed run is taken over when its lease has run out, and counts as failed', async () => {
    const first = start(500, ENDLESS_MS)
    expect(await first.line()).toBe('begin 1')
    const second = start(500, ENDLESS_MS)
    await first.kill()
    expect(await second.line()).toBe('begin 2')
    expect(await job()).toMatchObject({ attempts: 1, last_error: expect.stringMatching(/did not report its end/) })
  })

  test('a paused run, whose lease another has taken, cannot write any more, and gets the reason', async () => {
    const first = start(500, 3_000)
    expect(await first.line()).toBe('begin 1')
    first.process.kill('SIGSTOP')
    const second = start(500, ENDLESS_MS)
    expect(await second.line()).toBe('begin 2')
    first.process.kill('SIGCONT')
    expect(await first.line()).toBe('end LeaseLost')
    const { lease_owner } = await job()
    expect(lease_owner).not.toBeNull()
  })

  test('a run that lives keeps its job far beyond one lease', async () => {
    const first = start(400, ENDLESS_MS)
    expect(await first.line()).toBe('begin 1')
    const begun = await job()
    const second = start(400, ENDLESS_MS)
    while (Number((await job()).lease_until) < Number(begun.lease_until) + 2_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await job()).toMatchObject({ lease_owner: begun.lease_owner, attempts: 0 })
    first.process.stdin?.write('stop\n')
    await linesUntil(first, 'stopped')
    expect(await second.line()).toBe('begin 3')
  })
})
