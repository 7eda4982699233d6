/** Inspections of a site, by whose ids its logs recognise requests that Spoor made itself (rules 8.3). */
import type { ControlDb } from '#control/store.ts'
import { inspectionOfAgent } from '#crawlers/registry/inspector-agent.ts'

/** Whether Spoor made a request itself, so that there was no visit: `own` holds the ids of the site's inspections. */
export function isOwnInspection(user_agent: string, own: ReadonlySet<string>): boolean {
  const inspection = inspectionOfAgent(user_agent)
  return inspection !== null && own.has(inspection)
}

/** The most ids that a batch may ask about; agents with further ones are unlabelled, like those of others. */
const MAX_ASKED = 1_000

/** The same for a batch, which asks for each id once. Null: not marked as an inspection at all. */
export function ownInspectionsOfBatch(
  isInspection: (id: string) => Promise<boolean>,
): (user_agent: string) => Promise<boolean> | null {
  const asked = new Map<string, Promise<boolean>>()
  return (user_agent) => {
    const id = inspectionOfAgent(user_agent)
    if (id === null) return null
    const known = asked.get(id)
    if (known !== undefined || asked.size >= MAX_ASKED) return known ?? Promise.resolve(false)
    const answer = isInspection(id)
    asked.set(id, answer)
    return answer
  }
}

/** Ids of those that were begun, from `since` on (epoch milliseconds). */
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
