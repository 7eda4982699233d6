/** Groups harmed paths into few issues: by prefix, by host, over several crawlers (rules 8.1). */
import { DAY_MS } from '#clock.ts'
import { compareText } from '#compare-text.ts'
import type { Harm, Vantage } from '#contract/vocabulary.ts'
import type { StatusHarm } from '../harms.ts'
import { keyOfPath, prefixOf } from '../unit.ts'

/** A path at which a crawler met the rule. Instants are epoch milliseconds, days `YYYY-MM-DD`. */
export interface HarmedPath {
  host: string
  path: string
  /** The page's id in the evidence store, 64 bits as decimal text. */
  page_id: string
  crawler_id: string
  vantage: Vantage
  harm: StatusHarm
  harmful: number
  observed: number
  /** 1: it does not meet the rule without its responses with 401. */
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

/** A group for any kind of harm. */
export interface OpeningGroup extends Omit<HarmGroup, 'harm' | 'members'> {
  harm: Harm
  members: readonly Omit<HarmedPath, 'harm'>[]
}

/** A path that meets the rule and already has an issue, which stays as it is (rules 8.1). */
export interface KnownPath extends HarmedPath {
  /** The path key of its open or regressed issue: the path itself, or a prefix that ends with `*`. */
  issue_path_key: string
}

const MIN_PATHS = 5
const MIN_PREFIXES = 5
const MIN_CRAWLERS = 3
const WHOLE_HOST = '/*'

/**
 * Groups the paths of one detection, the most harmed first. `known` paths count, but do not become members, so that
 * there are as few issues if several detections find the harm as if one does.
 */
export function groupUnits(paths: readonly HarmedPath[], known: readonly KnownPath[] = []): HarmGroup[] {
  const sorted = [...paths].sort((a, b) => b.harmful - a.harmful || compareText(a.path, b.path))
  const keyOf = ({ host, crawler_id, vantage, harm }: HarmedPath) => JSON.stringify([host, crawler_id, vantage, harm])
  const knownBy = Map.groupBy(known, keyOf)
  const groups = [...Map.groupBy(sorted, keyOf)].flatMap(([key, own]) => groupPaths(own, knownBy.get(key) ?? []))
  return joinCrawlers(groups, known).sort((a, b) => harmOf(b) - harmOf(a) || compareText(a.path_key, b.path_key))
}

/** The number of harmful requests of a group. */
export const harmOf = ({ members }: HarmGroup): number => members.reduce((sum, { harmful }) => sum + harmful, 0)

/** One group for each host, vantage and harm: for groups beyond the openings of a day. */
export function wholeHost(groups: readonly HarmGroup[]): HarmGroup[] {
  const byHost = Map.groupBy(groups, ({ host, vantage, harm }) => JSON.stringify([host, vantage, harm]))
  return [...byHost.values()].map((ofHost) => joined(ofHost, { path_key: WHOLE_HOST, crawler_id: null }))
}

/** Paths of one host, crawler, vantage and harm. */
function groupPaths(paths: readonly HarmedPath[], known: readonly KnownPath[]): HarmGroup[] {
  const byPrefix = [...Map.groupBy(paths, ({ path }) => prefixOf(path))]
  const hasMany = (prefix: string, members: readonly HarmedPath[]) =>
    members.length + pathsBelow(prefix, known) >= MIN_PATHS
  const alone = byPrefix.filter(([prefix, members]) => !hasMany(prefix, members)).flatMap(([, members]) => members)
  const prefixes = byPrefix
    .filter(([prefix, members]) => hasMany(prefix, members))
    .map(([prefix, members]) => groupOf(members, `${prefix}*`))
  const keys = new Set([...prefixes.map(({ path_key }) => path_key), ...known.map((one) => one.issue_path_key)])
  const many =
    prefixes.length > 0 && [...keys].filter((key) => isPrefix(key) && key !== WHOLE_HOST).length >= MIN_PREFIXES
      ? [
          groupOf(
            prefixes.flatMap(({ members }) => members),
            WHOLE_HOST,
          ),
        ]
      : prefixes
  return [...many, ...alone.map((path) => groupOf([path], keyOfPath(path.path)))]
}

/** The number of paths directly below a prefix that have an issue of their own. */
const pathsBelow = (prefix: string, known: readonly KnownPath[]): number =>
  known.filter(({ path, issue_path_key }) => issue_path_key === keyOfPath(path) && prefixOf(path) === prefix).length

const isPrefix = (path_key: string) => path_key.endsWith('*')

function groupOf(members: readonly HarmedPath[], path_key: string): HarmGroup {
  const [{ host, crawler_id, vantage, harm }] = members as [HarmedPath]
  return { host, path_key, crawler_id, vantage, harm, members: [...members] }
}

/** Joins groups of the same prefix if three crawlers were harmed within a day: one issue without a crawler. */
function joinCrawlers(groups: readonly HarmGroup[], known: readonly KnownPath[]): HarmGroup[] {
  const unitOf = ({ host, path_key, vantage, harm }: Omit<HarmGroup, 'members'>) =>
    JSON.stringify([host, path_key, vantage, harm])
  const knownBy = Map.groupBy(
    known.filter(({ issue_path_key }) => isPrefix(issue_path_key)),
    (one) => unitOf({ ...one, path_key: one.issue_path_key }),
  )
  const same = Map.groupBy(
    groups.filter(({ path_key }) => isPrefix(path_key)),
    unitOf,
  )
  const joint = [...same].flatMap(([unit, alike]) => {
    const others = knownBy.get(unit) ?? []
    const newest = Math.max(...alike.map(lastHarm), ...others.map(({ last_ms }) => last_ms))
    const near = alike.filter((group) => newest - lastHarm(group) <= DAY_MS)
    const crawlers = [...near, ...others.filter(({ last_ms }) => newest - last_ms <= DAY_MS)]
    if (near.length === 0 || new Set(crawlers.map(({ crawler_id }) => crawler_id)).size < MIN_CRAWLERS) return alike
    return [
      joined(near, { path_key: (alike[0] as HarmGroup).path_key, crawler_id: null }),
      ...alike.filter((one) => !near.includes(one)),
    ]
  })
  return [...joint, ...groups.filter(({ path_key }) => !isPrefix(path_key))]
}

const lastHarm = ({ members }: HarmGroup) => members.reduce((last, { last_ms }) => Math.max(last, last_ms), 0)

function joined(groups: readonly HarmGroup[], as: Pick<HarmGroup, 'path_key' | 'crawler_id'>): HarmGroup {
  const [{ host, vantage, harm }] = groups as [HarmGroup]
  const members = groups.flatMap((group) => group.members).sort((a, b) => b.harmful - a.harmful)
  return { host, vantage, harm, ...as, members }
}
