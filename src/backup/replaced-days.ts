/**
 * Finds days whose builds were replaced after the state of the control store. A control store that was restored to an
 * earlier state may name deleted builds, so that their days would count too little, or nothing.
 */
import Type from 'typebox'
import type { CrawlerContext } from '#crawlers/context.ts'
import { nextBuild, readLastBuild, retire, retireBuilds } from '#derived/builds.ts'
import { markDays } from '#derived/dirty-days.ts'
import { count, rows, uint } from '#evidence/sql.ts'
import { retireVisitorBuilds } from '#tracker/sessions/visitor-facts.ts'

const KINDS = ['crawlers', 'sessions', 'definitions'] as const

/**
 * Marks days for which the evidence has builds with higher numbers than the last one of the control store. They are
 * read from facts until they are derived again. Call it before anything is derived. @returns the number of days.
 */
export async function markReplacedDays({
  control,
  clock,
  evidence,
}: Pick<CrawlerContext, 'control' | 'clock' | 'evidence'>): Promise<number> {
  // The evidence is read first: other nodes number a build before they store it, so their builds never appear newer.
  const [newest] = await evidence.all(newestBuild)
  const last = await readLastBuild(control.db)
  if (newest === undefined || newest.build <= last) return 0
  const sites = new Set((await control.db.selectFrom('sites').select('id').execute()).map(({ id }) => id))
  const builds = (await evidence.all(buildsAfter(last))).filter(({ site_id }) => sites.has(site_id))
  const retired_at = clock.shared()
  const marked = { cause: 'restore', state: 'written', now: retired_at } as const
  await control.transaction(async (tx) => {
    await nextBuild(tx, Math.max(retired_at, newest.build))
    for (const { kind, site_id, day } of builds) {
      const retired = { site_id, day, retired_at }
      await (kind === 'sessions' ? retireVisitorBuilds(tx, retired) : retireBuilds(tx, { kind, ...retired }))
    }
    // Nothing else would delete these builds, because the control store does not know them.
    await retire(
      tx,
      builds.map((build) => ({ ...build, part: '', delivery_id: '', retired_at })),
    )
    // Definitions are evaluated again if their build is missing.
    for (const kind of ['crawlers', 'sessions'] as const)
      await markDays(
        tx,
        { ...marked, kind },
        builds.filter((build) => build.kind === kind),
      )
  })
  return new Set(builds.map(({ site_id, day }) => `${site_id} ${day}`)).size
}

const newestBuild = rows(Type.Object({ build: count() }))`
  SELECT max(build) AS build
  FROM (
    SELECT max(build) AS build FROM spoor.crawler_daily
    UNION ALL
    SELECT max(build) FROM spoor.tracker_daily
    UNION ALL
    SELECT max(build) FROM spoor.definition_daily
  )`

const Build = Type.Object({ kind: Type.Enum([...KINDS]), site_id: Type.String(), day: Type.String(), build: count() })

/** The builds of days with a higher number. */
const buildsAfter = (last: number) => rows(Build)`
  SELECT kind, toString(site_id) AS site_id, toString(date) AS day, build
  FROM (
    SELECT DISTINCT 'crawlers' AS kind, site_id, day AS date, build FROM spoor.crawler_daily WHERE build > ${uint(last)}
    UNION ALL
    SELECT DISTINCT 'sessions', site_id, day, build FROM spoor.tracker_daily WHERE build > ${uint(last)}
    UNION ALL
    SELECT DISTINCT 'definitions', site_id, day, build FROM spoor.definition_daily WHERE build > ${uint(last)}
  )
  ORDER BY kind, site_id, day, build`
