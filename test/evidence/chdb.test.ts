import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openChdb } from '#evidence/chdb.ts'
import { sql } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../support/control.ts'
import { copyStore } from '../support/shared.ts'

test('commands that run beside writes are over before the tables are frozen', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  const store = await openChdb({ folder, memory_mb: 1_024 })
  const slow = sql`INSERT INTO spoor.schema_versions SELECT toUInt32(number) FROM numbers(4) WHERE sleepEachRow(0.5) = 1`
  const ended: string[] = []
  try {
    const beside = store.run(slow, { is_beside_writes: true }).then(() => ended.push('beside'))
    await store.freeze(
      async () => {
        // Whoever waits for the command beside hears of its end first.
        await setImmediate()
        ended.push('frozen')
      },
      async () => {},
    )
    await beside
    expect(ended).toEqual(['beside', 'frozen'])
  } finally {
    await store.close()
  }
})

test.runIf(process.platform === 'linux')(
  'a command that gives memory back leaves less of it with the engine',
  async () => {
    const folder = makeTestFolder()
    onTestFinished(() => removeTestFolder(folder))
    await copyStore('evidence', folder)
    const store = await openChdb({ folder, memory_mb: 1_024 })
    // Groups of many small texts, whose memory the engine frees when the command ends.
    const greedy = sql`
    INSERT INTO spoor.schema_versions
    SELECT toUInt32(count()) FROM (SELECT toString(number) AS name, count() FROM numbers(1500000) GROUP BY name)`
    const freed = async () => {
      await store.run(greedy)
      const kept = memoryMiB()
      await store.run(greedy, { gives_memory_back: true })
      return kept - memoryMiB()
    }
    try {
      // On a busy machine the engine may have given memory back by itself before it is measured.
      const rounds: number[] = []
      while (rounds.length < 8 && Math.max(0, ...rounds) < 30) rounds.push(await freed())
      expect(Math.max(...rounds)).toBeGreaterThanOrEqual(30)
    } finally {
      await store.close()
    }
  },
)

/** Memory of this process that is not a file's. */
function memoryMiB(): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024
}
