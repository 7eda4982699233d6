import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { count, rows, sql, uint } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

async function openOwnStore() {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  return openChdb({ folder, memory_mb: 1_024 })
}

/** An insert that takes this many seconds. */
const insertFor = (seconds: number) =>
  sql`INSERT INTO spoor.schema_versions SELECT toUInt32(number) FROM numbers(${uint(2 * seconds)}) WHERE sleepEachRow(0.5) = 1`

test('a snapshot of sessions does not wait for the two inserts of a derivation of days', async () => {
  const store = await openOwnStore()
  const ended: string[] = []
  try {
    const days = [1, 2].map(() => store.run(insertFor(2), { is_concurrent: true }).then(() => ended.push('day')))
    await store.run(sql`INSERT INTO spoor.schema_versions SELECT 77`, { is_concurrent: true })
    ended.push('snapshot')
    await Promise.all(days)
    expect(ended).toEqual(['snapshot', 'day', 'day'])
  } finally {
    await store.close()
  }
})

test('commands that run during writes end before the tables are frozen', async () => {
  const store = await openOwnStore()
  const slow = insertFor(2)
  const ended: string[] = []
  try {
    const concurrent = store.run(slow, { is_concurrent: true }).then(() => ended.push('concurrent'))
    await store.freeze(
      async () => {
        // Lets the code that waits for the other command run first.
        await setImmediate()
        ended.push('frozen')
      },
      async () => {},
    )
    await concurrent
    expect(ended).toEqual(['concurrent', 'frozen'])
  } finally {
    await store.close()
  }
})

test('a backup that waits for a derivation does not make events and imports wait for it', async () => {
  const store = await openOwnStore()
  const slow = insertFor(3)
  const ended: string[] = []
  try {
    const concurrent = store.run(slow, { is_concurrent: true }).then(() => ended.push('derivation'))
    const frozen = store.freeze(
      async () => void ended.push('backup'),
      async () => {},
    )
    // Lets the code of the backup run until it waits.
    await store.all(rows(Type.Object({ one: count() }))`SELECT 1 AS one`)
    await store.run(sql`INSERT INTO spoor.schema_versions SELECT 77`)
    ended.push('write')
    await Promise.all([concurrent, frozen])
    expect(ended).toEqual(['write', 'derivation', 'backup'])
  } finally {
    await store.close()
  }
})

/** Root may read everything. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.each(['the whole folder', 'a folder of its tables'])(
  '%s of another user is named when it is opened',
  async (what) => {
    const folder = makeTestFolder()
    onTestFinished(() => removeTestFolder(folder))
    await copyStore('evidence', folder)
    const [table = ''] = readdirSync(join(folder, 'store'))
    const closed = what === 'the whole folder' ? folder : join(folder, 'store', table)
    if (asNobody.uid !== undefined) spawnSync('chown', ['-R', `${asNobody.uid}:${asNobody.gid}`, folder])
    chmodSync(closed, 0o000)
    onTestFinished(() => chmodSync(closed, 0o700))
    const open = `import { openChdb } from '#evidence/chdb/store.ts'
    await openChdb({ folder: ${JSON.stringify(folder)}, memory_mb: 1024 }).catch(({ kind, message }) => console.log(kind, message))
    process.exit()`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', open], {
      ...asNobody,
      encoding: 'utf8',
    })
    expect(stdout).toBe(
      `unavailable ${closed} may not be read and written by this user. Run the command as the user of the service, or give that user everything in the data folder (chown -R).\n`,
    )
  },
)
