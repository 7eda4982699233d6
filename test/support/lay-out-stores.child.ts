/** Makes a folder with both stores in their newest layout and nothing in them, and prints where it is. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteControl } from '#control/sqlite.ts'
import { openChdb } from '#evidence/chdb/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'spoor-stores-'))
const control = await openSqliteControl(join(folder, 'control.sqlite'))
await control.close()
const evidence = await openChdb({ folder: join(folder, 'evidence'), memory_mb: 2_048 })
await evidence.close()
console.log(folder)
