/** Pages of a definition without visitors. Most have the wrong host or a wrong final slash (rules 6, Definitions). */
import Type from 'typebox'
import type { ControlStore } from '#control/store.ts'
import { findBuilds } from '#derived/builds.ts'
import { findMarks } from '#derived/dirty-days.ts'
import { list, rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

export interface DefinitionPage {
  hostname: string
  path: string
}

/** `seen` are visited pages that may be meant: the same path on other hosts, with or without a final slash. */
export interface UnseenPage extends DefinitionPage {
  seen: DefinitionPage[]
}

const MAX_SEEN_PAGES = 5
const SeenPage = Type.Object({ hostname: Type.String(), path: Type.String() })

/**
 * The given pages without a visit within the retention, each once. Null if the site has no event yet, because then
 * nothing is known of any page. @throws EvidenceError.
 */
export async function findUnseenPages(
  { control, evidence }: { control: ControlStore; evidence: EvidenceStore },
  site_id: string,
  pages: readonly DefinitionPage[],
): Promise<UnseenPage[] | null> {
  if (pages.length === 0) return []
  const fact_days = await daysOfFacts(control, site_id)
  if (fact_days === null) return null
  const paths = [...new Set(pages.flatMap(({ path }) => [path, otherSlash(path)]))]
  const seen = await evidence.all(seenPages(site_id, paths, fact_days))
  const known = new Set(seen.map(addressOf))
  const unseen = new Map(pages.filter((page) => !known.has(addressOf(page))).map((page) => [addressOf(page), page]))
  return [...unseen.values()].map(({ hostname, path }) => {
    const alike = seen.filter((row) => row.path === path || row.path === otherSlash(path))
    const sameFirst = alike.toSorted((a, b) => Number(b.path === path) - Number(a.path === path))
    return { hostname, path, seen: sameFirst.slice(0, MAX_SEEN_PAGES) }
  })
}

const addressOf = ({ hostname, path }: DefinitionPage) => `${hostname}${path}`

function otherSlash(path: string): string {
  if (path === '/') return path
  return path.endsWith('/') ? path.slice(0, -1) : `${path}/`
}

/** Days whose visits no current build contains; null before the first event. */
async function daysOfFacts({ db }: ControlStore, site_id: string): Promise<string[] | null> {
  const counts = await db
    .selectFrom('collection_counts')
    .select('day')
    .where((is) => is.and({ site_id, outcome: 'accepted' }))
    .execute()
  if (counts.length === 0) return null
  const builds = await findBuilds(db, 'sessions', site_id)
  const dirty = await findMarks(db, 'sessions', site_id)
  const built = new Set(builds.map(({ day }) => day))
  return [
    ...new Set([...counts.map(({ day }) => day).filter((day) => !built.has(day)), ...dirty.map(({ day }) => day)]),
  ]
}

const seenPages = (site_id: string, paths: readonly string[], fact_days: readonly string[]) => rows(SeenPage)`
  SELECT host AS hostname, path
  FROM spoor.pages FINAL
  WHERE site_id = ${uuid(site_id)} AND path IN ${list('String', paths)} AND path_fidelity = 'exact' AND (
    page_id IN (SELECT page_id FROM spoor.tracker_page_daily WHERE site_id = ${uuid(site_id)})
    OR page_id IN (
      SELECT page_id FROM spoor.events
      WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', fact_days)} AND stream = 'browser' AND kind = 'pageview'
    )
  )
  ORDER BY hostname, path`
