import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { rows, sql } from '#evidence/sql.ts'
import { serviceOfFile } from '../../support/fresh.ts'

const shared = serviceOfFile()
const is_linux = process.platform === 'linux'
const CAP_SYS_NICE = 23n
const may_raise = is_linux && ((effectiveCapabilities() >> CAP_SYS_NICE) & 1n) === 1n

test.runIf(is_linux)('threads of the engine have a lower priority than the one that answers', async () => {
  await shared.fresh('2026-03-10T12:00:00.000Z')
  const own = getPriority()
  const threads = niceValues()
  const of = (name: string) => threads.filter((thread) => thread.name === name).map(({ nice }) => nice)
  expect(new Set(of('MergeMutate'))).toEqual(new Set([Math.min(19, own + 10)]))
  expect(new Set(of('node-V8Worker'))).toEqual(new Set([own]))
})

test.runIf(may_raise)('reads and writes have a higher priority than derivations', async () => {
  const { crawlers } = await shared.fresh('2026-03-10T12:00:00.000Z')
  const { evidence } = crawlers
  const own = getPriority()
  const read = await niceDuring(() =>
    evidence.all(rows(Type.Object({ slept: Type.Number() }))`SELECT sleep(0.3) AS slept`),
  )
  const derive = await niceDuring(() =>
    evidence.run(sql`INSERT INTO spoor.pages SELECT * FROM spoor.pages WHERE (SELECT sleep(0.3)) = 1`, {
      is_concurrent: true,
    }),
  )
  expect(read).toBe(Math.min(19, own + 5))
  expect(derive).toBe(Math.min(19, own + 15))
})

/** The nice value of the thread of Node's pool that runs a statement, from the start to the end of the statement. */
async function niceDuring(statement: () => Promise<unknown>): Promise<number | undefined> {
  const before = new Map(niceValues().map(({ thread, nice }) => [thread, nice]))
  let has_ended = false
  const ended = statement().finally(() => {
    has_ended = true
  })
  let changed: number | undefined
  while (!has_ended && changed === undefined) {
    await new Promise(setImmediate)
    changed = niceValues().find(
      ({ thread, name, nice }) => name === 'libuv-worker' && before.get(thread) !== nice,
    )?.nice
  }
  await ended
  return changed
}

function niceValues(): { thread: number; name: string; nice: number }[] {
  return readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      return [{ thread: Number(thread), name, nice: getPriority(Number(thread)) }]
    } catch {
      // The thread has ended.
      return []
    }
  })
}

function effectiveCapabilities(): bigint {
  return BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`)
}
