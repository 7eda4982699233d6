import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { count, rows, sql } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

test('commands that run during writes end before the tables are frozen', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  const store = await openChdb({ folder, memory_mb: 1_024 })
  const slow = sql`INSERT INTO spoor.schema_versions SELECT toUInt32(number) FROM numbers(4) WHERE sleepEachRow(0.5) = 1`
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
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  const store = await openChdb({ folder, memory_mb: 1_024 })
  const slow = sql`INSERT INTO spoor.schema_versions SELECT toUInt32(number) FROM numbers(6) WHERE sleepEachRow(0.5) = 1`
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
