/** Refuses a store with lost or damaged files, because the engine would start and answer without their rows. */
import { rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import Type, { type Static } from 'typebox'
import { nameSome } from '#quantities.ts'
import { EvidenceError } from '../errors.ts'
import { rows } from '../sql.ts'
import type { EvidenceStore } from '../store.ts'
import { tablesWithoutFolder } from '../stored-parts.ts'
import { closedTo } from './open-session.ts'

const Damaged = Type.Object({ path: Type.String(), covering: Type.Array(Type.String()) })
type Damaged = Static<typeof Damaged>

/** Damaged parts, and the parts whose range of blocks contains theirs. Staged rows are deleted at each start. */
const damagedParts = rows(Damaged)`
  SELECT damaged.path AS path, groupArrayIf(
      assumeNotNull(merged.path),
      merged.min_block_number <= damaged.min_block_number AND merged.max_block_number >= damaged.max_block_number
    ) AS covering
  FROM system.detached_parts AS damaged
  LEFT JOIN (SELECT * FROM system.parts WHERE database = 'spoor') AS merged
    ON merged.table = damaged.table AND merged.partition_id = damaged.partition_id
  WHERE damaged.database = 'spoor' AND startsWith(ifNull(damaged.reason, ''), 'broken')
    AND damaged.table != 'import_rows'
  GROUP BY path
  ORDER BY path`

/**
 * Without it, the days of lost parts would count too little, or nothing, and be reported as observed.
 * @throws EvidenceError unavailable: rows of damaged parts are lost.
 */
export async function refuseDamaged(store: Pick<EvidenceStore, 'all'>): Promise<void> {
  const damaged = await store.all(damagedParts)
  const have_copies = await Promise.all(damaged.map(hasMergedCopy))
  const lost = damaged.filter((_, at) => have_copies[at] === false)
  if (lost.length === 0) return
  const paths = (await Promise.all(lost.map(renameLost))).map((path) => path.replace(/\/$/, ''))
  throw new EvidenceError(
    'unavailable',
    `Files of the evidence are damaged or incomplete, and the engine has set them aside: ${nameSome(paths)}. ` +
      'Look into the system log for a fault of the disk, then restore a backup (docs/operating/backup.md). Without a backup, move ' +
      'them out of the data folder: Spoor starts then, and the days that they belong to count too little.',
  )
}

/** The prefix of parts that the engine sets aside when it opens the folder. */
const PREFIX_AT_START = 'broken-on-start_'
/** The prefix of parts whose rows are lost. The engine uses it too. */
const LOST_PREFIX = 'broken_'

/**
 * Whether a merged part has the rows of a damaged one. Only a part that existed before the damaged one was set aside
 * can: since then the engine may have merged the parts before and after the damaged one, and the range of the result
 * contains the gap. Change times (ctime) are compared, because the engine rounds modification times to seconds.
 */
async function hasMergedCopy({ path, covering }: Damaged): Promise<boolean> {
  if (!basename(path).startsWith(PREFIX_AT_START)) return false
  const set_aside_at = await changeTimeOf(path)
  const merged_at = await Promise.all(covering.map(changeTimeOf))
  return set_aside_at !== null && merged_at.some((at) => at !== null && at < set_aside_at)
}

/** Null: the folder is gone. */
const changeTimeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ ctimeMs }) => ctimeMs,
    () => null,
  )

/**
 * Renames a lost part, so that a copy of the folder, whose files have other times, is refused too. Returns its path.
 */
async function renameLost({ path }: Damaged): Promise<string> {
  const lost = join(dirname(path), basename(path).replace(PREFIX_AT_START, LOST_PREFIX))
  if (lost === join(path)) return path
  return rename(path, lost).then(
    () => lost,
    () => path,
  )
}

/**
 * Before the engine opens the folder.
 * @throws EvidenceError unavailable: it would make empty tables of lost ones, or the folder belongs to another user.
 */
export async function refuseLostTables(folder: string): Promise<void> {
  const lost = await tablesWithoutFolder(folder).catch((error: unknown) => {
    throw closedTo(folder, error) ?? error
  })
  if (lost.length === 0) return
  throw new EvidenceError(
    'unavailable',
    `The folders of these tables of the evidence in ${folder} are gone: ${nameSome(lost)}. ` +
      'Look into the system log for a fault of the disk, then restore a backup (docs/operating/backup.md).',
  )
}
