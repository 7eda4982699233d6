/** Many harmed paths become few issues: prefixes, whole hosts, several crawlers (rules 8.1). */
import { DAY_MS } from '#clock.ts'
import type { Vantage } from '#contract/vocabulary.ts'
import type { StatusHarm } from './harms.ts'
import { prefixOf } from './unit.ts'

/** A path at which a crawler met the rule. Instants are epoch milliseconds, days `YYYY-MM-DD`. */
export interface HarmedPath {
  host: string
  path: string
  /** Of the evidence store, 64 bits as decimal text. */
  page_id: string
  crawler_id: string
  vantage: Vantage
  harm: StatusHarm
  harmful: number
  observed: number
  /** 1: every harmful response asked for a login. */
  is_login_asked: number
  /** The weakest identity of the harmful requests. */
  rank: number
  first_ms: number
  last_ms: number
  first_day: string
  last_day: string
}

/** An issue that may open: one path, or a prefix with its members, the most harmed first. */
export interface HarmGroup {
  host: string
  path_key: string
  crawler_id: string | null
  vantage: Vantage
  harm: StatusHarm
  members: HarmedPath[]
}

const MIN_PATHS = 5
const MIN_PREFIXES = 5
const MIN_CRAWLERS = 3
const WHOLE_HOST = '/*'

/** Groups what one detection found, the most harmed first. */
export function groupUnits(paths: readonly HarmedPath[]): HarmGroup[] {
  const sorted = [...paths].sort((a, b) => b.harmful - a.harmful || compare(a.path, b.path))
  const byCrawler = Map.groupBy(sorted, ({ host, crawler_id, vantage, harm }) =>
    JSON.stringify([host, crawler_id, vantage, harm]),
  )
  const groups = [...byCrawler.values()].flatMap(groupPaths)
  return joinCrawlers(groups).sort((a, b) => harmOf(b) - harmOf(a) || compare(a.path_key, b.path_key))
}

export const harmOf = ({ members }: HarmGroup): number => members.reduce((sum, { harmful }) => sum + harmful, 0)

/** Everything in one group, for what exceeds the openings of a day; of one host, vantage and harm. */
export function wholeHost(groups: readonly HarmGroup[]): HarmGroup[] {
  const byHost = Map.groupBy(groups, ({ host, vantage, harm }) => JSON.stringify([host, vantage, harm]))
  return [...byHost.values()].map((of) => joined(of, { path_key: WHOLE_HOST, crawler_id: null }))
}

/** Paths of one host, crawler, vantage and harm. */
function groupPaths(paths: readonly HarmedPath[]): HarmGroup[] {
  const byPrefix = [...Map.groupBy(paths, ({ path }) => prefixOf(path))]
  const alone = byPrefix.filter(([, members]) => members.length < MIN_PATHS).flatMap(([, members]) => members)
  const prefixes = byPrefix
    .filter(([, members]) => members.length >= MIN_PATHS)
    .map(([prefix, members]) => groupOf(members, `${prefix}*`))
  const many =
    prefixes.length >= MIN_PREFIXES
      ? [
          groupOf(
            prefixes.flatMap(({ members }) => members),
            WHOLE_HOST,
          ),
        ]
      : prefixes
  return [...many, ...alone.map((path) => groupOf([path], path.path))]
}

function groupOf(members: readonly HarmedPath[], path_key: string): HarmGroup {
  const [{ host, crawler_id, vantage, harm }] = members as [HarmedPath]
  return { host, path_key, crawler_id, vantage, harm, members: [...members] }
}

/** The same prefix of three crawlers within a day is one issue without a crawler. */
function joinCrawlers(groups: readonly HarmGroup[]): HarmGroup[] {
  const isPrefix = ({ path_key }: HarmGroup) => path_key.endsWith('*')
  const same = Map.groupBy(groups.filter(isPrefix), ({ host, path_key, vantage, harm }) =>
    JSON.stringify([host, path_key, vantage, harm]),
  )
  const joint = [...same.values()].flatMap((of) => {
    const newest = Math.max(...of.map(lastHarm))
    const near = of.filter((group) => newest - lastHarm(group) <= DAY_MS)
    if (near.length < MIN_CRAWLERS) return of
    return [
      joined(near, { path_key: (of[0] as HarmGroup).path_key, crawler_id: null }),
      ...of.filter((one) => !near.includes(one)),
    ]
  })
  return [...joint, ...groups.filter((group) => !isPrefix(group))]
}

const lastHarm = ({ members }: HarmGroup) => members.reduce((last, { last_ms }) => Math.max(last, last_ms), 0)

function joined(groups: readonly HarmGroup[], as: Pick<HarmGroup, 'path_key' | 'crawler_id'>): HarmGroup {
  const [{ host, vantage, harm }] = groups as [HarmGroup]
  const members = groups.flatMap((group) => group.members).sort((a, b) => b.harmful - a.harmful)
  return { host, vantage, harm, ...as, members }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
