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
