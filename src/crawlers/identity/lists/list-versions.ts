/** A day is judged by the list versions of that day (decisions 3.3, docs/decisions/0012). */
import { DAY_MS } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import { type Ranges, rangesOf } from '../address-ranges.ts'
import { listCode } from '../proof-facts.ts'

export interface ListVersion {
  id: string
  list_id: string
  code: string
  sha256: string
  is_whole_as: boolean
  loaded_at: number
  confirmed_at: number
  superseded_at: number | null
  ranges: Ranges
}

/** A list that was not confirmed for this long may have changed, and is no longer in force. */
const STALE_MS = 7 * DAY_MS

/** Whether a version may judge a UTC day: known by its end, not replaced before it, confirmed within 7 days. */
export function isInForce(
  version: Pick<ListVersion, 'loaded_at' | 'confirmed_at' | 'superseded_at'>,
  dayStart: number,
): boolean {
  return (
    version.loaded_at < dayStart + DAY_MS &&
    (version.superseded_at === null || version.superseded_at >= dayStart) &&
    version.confirmed_at >= dayStart - STALE_MS
  )
}

/** All versions, newest first. The networks of versions in `known` are not read again. */
export async function readListVersions(
  { control }: { control: ControlStore },
  known: ReadonlyMap<string, ListVersion> = new Map(),
): Promise<ListVersion[]> {
  const rows = await control.db
    .selectFrom('ip_list_versions')
    .select(['id', 'list_id', 'sha256', 'is_whole_as', 'loaded_at', 'confirmed_at', 'superseded_at'])
    .orderBy('loaded_at', 'desc')
    .orderBy('id')
    .execute()
  const versions: ListVersion[] = []
  for (const { is_whole_as, ...row } of rows) {
    const ranges = known.get(row.id)?.ranges ?? (await readRanges(control, row.id))
    versions.push({ ...row, code: listCode(row.list_id), is_whole_as: is_whole_as === 1, ranges })
  }
  return versions
}

async function readRanges(control: ControlStore, id: string): Promise<Ranges> {
  const { prefixes } = await control.db
    .selectFrom('ip_list_versions')
    .select('prefixes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return rangesOf(prefixes.split('\n'))
}
