/** Several nodes on the same stores (decisions 8.2). The long form is bench/nodes.ts. */
import { afterAll, expect, test } from 'vitest'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { nodeRounds } from '../support/node-rounds.ts'

const folders: string[] = []
afterAll(() => folders.forEach(removeTestFolder))

test.each(['direct', 'shared'] as const)(
  'nodes in the mode %s lose and double nothing when one is killed or pauses, and give the same answers',
  { timeout: 300_000 },
  async (mode) => {
    const folder = makeTestFolder()
    folders.push(folder)
    const report = await nodeRounds({ folder, mode, kills: 3, every_ms: 1_000, senders: 8 })
    expect(report.acknowledged).toBeGreaterThan(200)
    expect(report.retried).toBeGreaterThan(0)
    expect(report.was_fenced).toBe(true)
    // Events of a node that was killed between storing and counting them are counted as repeats when they come again.
    if (mode === 'shared') expect(report.counted.accepted).toBe(report.stored)
    else expect(report.counted.accepted).toBeLessThanOrEqual(report.stored)
    const [first, ...others] = report.answers
    for (const other of others) expect(other).toEqual(first)
    expect(first).toMatchObject({ meta: { measurement_state: 'measured' } })
  },
)
