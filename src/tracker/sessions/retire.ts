/** What no longer counts: first the pointers to it go, minutes later its rows. */
import { MINUTE_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { RetiredTrackerBuildRow } from '#control/tables/tracker.ts'
import { deletePagesWithoutFacts } from '#evidence/page-names.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { TrackerContext } from '../context.ts'
import { deleteDefinitionBuilds } from '../definitions/definition-builds.sql.ts'
import { deleteBuilds, deleteEvents } from './derive.sql.ts'

/** Not a build: what goes with it are the facts of the day, and all that speaks of them alone. */
export const FACTS = 0

/** A retired build outlives every statement that may still read it. */
const RETIREMENT_MS = 10 * MINUTE_MS
const BUILDS_AT_ONCE = 1_000

interface RetiredDay {
  site_id: string
  day: string
  /** Epoch milliseconds. */
  retired_at: number
}

/** Takes away the pointers to all that was derived of a day; its rows go when no reader can still use them. */
export async function retireBuilds(tx: ControlTransaction, { site_id, day, retired_at }: RetiredDay): Promise<void> {
  const sessions = await tx
    .deleteFrom('tracker_builds')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .returning('build')
    .execute()
  const definitions = await tx
    .deleteFrom('definition_builds')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .returning(['build', 'definition_id'])
    .execute()
  const old = [...sessions.map(({ build }) => ({ build, definition_id: '' })), ...definitions]
  for (const row of old) await retire(tx, { site_id, day, retired_at, ...row })
}

export async function retire(tx: ControlTransaction, build: RetiredTrackerBuildRow): Promise<void> {
  await tx.insertInto('retired_tracker_builds').values(build).execute()
}

/** What events speak of is stored before them: a page that waits for its first event must not pass for unused. */
const deleteFacts = (evidence: EvidenceStore, site_id: string, days: readonly string[]): Promise<void> =>
  evidence.writeLock.run(async () => {
    await evidence.run(deleteEvents(site_id, days))
    evidence.writeLock.notePageDeletion()
    await evidence.run(deletePagesWithoutFacts(site_id))
  })

/** Deletes what is retired and no reader can still be using; returns how many builds. */
export async function deleteRetiredTrackerBuilds(
  ctx: Pick<TrackerContext, 'clock' | 'control' | 'evidence'>,
): Promise<number> {
  const retired = await ctx.control.db
    .selectFrom('retired_tracker_builds')
    .selectAll()
    .where('retired_at', '<', ctx.clock.now() - RETIREMENT_MS)
    .orderBy('site_id')
    .orderBy('day')
    .execute()
  for (const rows of Map.groupBy(retired, (row) => `${row.site_id} ${row.definition_id === ''}`).values()) {
    for (let at = 0; at < rows.length; at += BUILDS_AT_ONCE) {
      await deleteRows(ctx, rows.slice(at, at + BUILDS_AT_ONCE))
    }
  }
  return retired.length
}

/** Rows of one site, and all of sessions or all of definitions. */
async function deleteRows(
  ctx: Pick<TrackerContext, 'control' | 'evidence'>,
  rows: readonly RetiredTrackerBuildRow[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const { site_id, definition_id } = first
  const commands = definition_id === '' ? deleteBuilds(site_id, rows) : [deleteDefinitionBuilds(site_id, rows)]
  for (const command of commands) await ctx.evidence.run(command)
  const days = rows.filter(({ build }) => build === FACTS).map(({ day }) => day)
  if (days.length > 0) await deleteFacts(ctx.evidence, site_id, days)
  await ctx.control.transaction(async (tx) => {
    for (const row of rows) {
      await tx
        .deleteFrom('retired_tracker_builds')
        .where('site_id', '=', row.site_id)
        .where('day', '=', row.day)
        .where('build', '=', row.build)
        .where('definition_id', '=', row.definition_id)
        .execute()
    }
  })
}
