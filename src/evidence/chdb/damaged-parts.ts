/** Refuses a store with lost or damaged files, because the engine would start and answer without their rows. */
import Type from 'typebox'
import { nameSome } from '#quantities.ts'
import { EvidenceError } from '../errors.ts'
import { rows } from '../sql.ts'
import type { EvidenceStore } from '../store.ts'
import { tablesWithoutFolder } from '../stored-parts.ts'
import { closedTo } from './open-session.ts'

/**
 * Damaged parts whose rows are in no other part: a merged part has the rows of all parts of its range of blocks. Staged
 * rows are deleted at each start.
 */
const setAside = rows(Type.Object({ path: Type.String() }))`
  SELECT damaged.path AS path
  FROM system.detached_parts AS damaged
  LEFT JOIN (SELECT * FROM system.parts WHERE database = 'spoor' AND active) AS merged
    ON merged.table = damaged.table AND merged.partition_id = damaged.partition_id
  WHERE damaged.database = 'spoor' AND startsWith(ifNull(damaged.reason, ''), 'broken')
    AND damaged.table != 'import_rows'
  GROUP BY path
  HAVING countIf(
    merged.min_block_number <= damaged.min_block_number AND merged.max_block_number >= damaged.max_block_number
  ) = 0
  ORDER BY path`

/**
 * Their days would count too little, or nothing, and be reported as observed.
 * @throws EvidenceError unavailable.
 */
export async function refuseDamaged(store: Pick<EvidenceStore, 'all'>): Promise<void> {
  const paths = (await store.all(setAside)).map(({ path }) => path.replace(/\/$/, ''))
  if (paths.length === 0) return
  throw new EvidenceError(
    'unavailable',
    `Files of the evidence are damaged or incomplete, and the engine has set them aside: ${nameSome(paths)}. ` +
      'Look into the system log for a fault of the disk, then restore a backup (docs/operating/backup.md). Without a backup, move ' +
      'them out of the data folder: Spoor starts then, and the days that they belong to count too little.',
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
