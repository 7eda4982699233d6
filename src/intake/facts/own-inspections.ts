/** Recognises requests of Spoor's own inspections in logs, by their ids (rules 8.3). */
import type { ControlDb } from '#control/store.ts'
import { inspectionOfAgent } from '#crawlers/registry/inspector-agent.ts'

/** Whether a request is of an inspection; `own`: the ids of the site's inspections. */
export function isOwnInspection(user_agent: string, own: ReadonlySet<string>): boolean {
  const inspection = inspectionOfAgent(user_agent)
  return inspection !== null && own.has(inspection)
}

/** The most ids that are looked up for a batch; agents with further ids get no label. */
const MAX_LOOKUPS = 1_000

/** The same for a batch, which looks each id up once. Null: the agent has no marker of an inspection. */
export function ownInspectionsOfBatch(
  isInspection: (id: string) => Promise<boolean>,
): (user_agent: string) => Promise<boolean> | null {
  const asked = new Map<string, Promise<boolean>>()
  return (user_agent) => {
    const id = inspectionOfAgent(user_agent)
    if (id === null) return null
    const known = asked.get(id)
    if (known !== undefined || asked.size >= MAX_LOOKUPS) return known ?? Promise.resolve(false)
    const answer = isInspection(id)
    asked.set(id, answer)
    return answer
  }
}

/** Ids of inspections that began from `since` on (epoch milliseconds). */
export async function findInspectionIds(db: ControlDb, site_id: string, since = 0): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inspections')
    .select('id')
    .where('site_id', '=', site_id)
    .where('started_at', '>=', since)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Whether an id is that of an inspection of the site. */
export async function isInspectionOf(db: ControlDb, site_id: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('inspections')
    .select('id')
    .where((is) => is.and({ id, site_id }))
    .executeTakeFirst()
  return found !== undefined
}
