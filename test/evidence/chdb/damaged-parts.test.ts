import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openChdb } from '#evidence/chdb/store.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { sql } from '#evidence/sql.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { copyStore } from '../../support/shared.ts'

let folder: string
const open = () => openChdb({ folder, memory_mb: 1_024 })
beforeEach(async () => {
  folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  await copyStore('evidence', folder)
  const store = await open()
  await store.insert('agents', jsonRows([['1', 'TestBot/1.0', '', '2026-03-01 00:00:00.000']]), 1)
  await store.close()
})

/** The folder of the parts of a table. */
function folderOf(table: string): string {
  const [definition = ''] = globSync(join(folder, `store/*/*/${table}.sql`))
  const [, uuid = ''] = /UUID '([^']+)'/.exec(readFileSync(definition, 'utf8')) ?? []
  return join(folder, 'store', uuid.slice(0, 3), uuid)
}

test.each([
  ['is missing', rmSync],
  ['was cut off', (path: string) => truncateSync(path, 10)],
])('a store of which a file of rows %s is refused until the operator moves the rest of it away', async (_, damage) => {
  const files = globSync(join(folderOf('agents'), 'all_*/{data,user_agent}.bin'))
  expect(files).toHaveLength(1)
  for (const path of files) damage(path)
  const message = expect.stringMatching(/are damaged .*\/detached\/broken.*: Spoor starts/)
  for (const time of ['first', 'second']) {
    await expect(open(), time).rejects.toMatchObject({ kind: 'unavailable', message })
  }
  for (const path of globSync(join(folderOf('agents'), 'detached/broken*')))
    renameSync(path, join(folder, basename(path)))
  await (await open()).close()
})

test('a damaged part whose rows are in a merged part does not matter', async () => {
  const store = await open()
  await store.insert('agents', jsonRows([['2', 'TestBot/2.0', '', '2026-03-01 00:00:00.000']]), 1)
  await store.run(sql`OPTIMIZE TABLE spoor.agents FINAL`)
  await store.close()
  const detached = join(folderOf('agents'), 'detached')
  // Merged parts stay for some minutes.
  const files = globSync(join(folderOf('agents'), 'all_1_1_*/{data,user_agent}.bin'))
  expect(files).toHaveLength(1)
  for (const path of files) truncateSync(path, 10)
  for (let start = 0; start < 3; start++) await (await open()).close()
  mkdirSync(join(detached, 'broken-on-start_all_1_1_0'))
  await (await open()).close()
  mkdirSync(join(detached, 'broken-on-start_all_2_9_1'))
  await expect(open()).rejects.toMatchObject({ message: expect.stringContaining('broken_all_2_9_1.') })
})

test('a damaged part is missed although the parts around it are merged, also in a copy of the folder', async () => {
  const store = await open()
  // Otherwise the part that is to be damaged might be merged before.
  await store.run(sql`SYSTEM STOP MERGES spoor.agents`)
  for (let number = 2; number <= 12; number++) {
    await store.insert('agents', jsonRows([[String(number), `TestBot/${number}.0`, '', '2026-03-01 00:00:00.000']]), 1)
  }
  await store.close()
  const files = globSync(join(folderOf('agents'), 'all_6_6_*/{data,user_agent}.bin'))
  expect(files).toHaveLength(1)
  for (const path of files) truncateSync(path, 10)
  const refused = { kind: 'unavailable', message: expect.stringMatching(/detached\/broken_all_6_6_/) }
  // While the engine is open, it merges the parts before and after it.
  for (let start = 0; start < 3; start++) await expect(open()).rejects.toMatchObject(refused)
  const copy = `${folder}-copy`
  onTestFinished(() => removeTestFolder(copy))
  cpSync(folder, copy, { recursive: true })
  folder = copy
  await expect(open()).rejects.toMatchObject(refused)
})

test('a store of which the folder of a table is gone is refused, instead of answering from an empty table', async () => {
  rmSync(folderOf('requests'), { recursive: true })
  const message = expect.stringMatching(/are gone: requests\. .*restore a backup/)
  for (const time of ['first', 'second']) {
    await expect(open(), time).rejects.toMatchObject({ kind: 'unavailable', message })
  }
})
