/** Opens issues for harmed paths without an issue or mark: grouped, and bounded in number (rules 8.1). */
import type { IntendedMarkRow, IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import type { FollowedIssue } from '../evidence/evidence-of-issue.ts'
import { daysAround, memberKey } from '../evidence/later-evidence.ts'
import { exactDays, type OutcomesByPage } from '../evidence/read-outcomes.ts'
import { readFollowed, readMarks } from '../followed-issues.ts'
import { ruleFrom, type StatusHarm } from '../harms.ts'
import { intendedUntil, isIntended } from '../intended/match-marks.ts'
import { writeIssue } from '../lifecycle/write-issue.ts'
import { describeGroup, harmfulDays } from '../texts/describe-group.ts'
import { coversPath, keyOfPath } from '../unit.ts'
import { type HarmedPaths, inspectUndecided, judgePaths } from './find-harmed-paths.ts'
import { groupUnits, type HarmedPath, type HarmGroup, type KnownPath, wholeHost } from './group-units.ts'
import { harmedUnit } from './harmed-unit.ts'
import { addMembers, MAX_MEMBERS, MAX_OPENINGS_A_DAY, openWithinDay } from './open-issue-once.ts'

/** Opens the issues, and adds new members to the issues of prefixes. @param known outcomes of followed pages. */
export async function openNewIssues(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { paths, outcomes }: HarmedPaths,
  known_outcomes: OutcomesByPage,
): Promise<void> {
  const { site_id } = detection.scope
  const followed = await readFollowed(ctx.control.db, site_id)
  const marks = await readMarks(ctx.control.db, site_id)
  const issues = followed.map(({ issue }) => issue)
  const known = followedKeys(followed)
  const isKnown = (path: HarmedPath) => known.has(followedKey(path)) || issues.some((one) => isAbout(one, path))
  const fresh = paths.filter((path) => !isKnown(path) && !isIntended(marks, path))
  if (fresh.length === 0) return
  await readDaysOfRevocations(ctx, detection, { marks, paths: fresh, outcomes })
  const standing = fresh.flatMap((path) => afterRevocation(marks, path, outcomes) ?? [])
  const judged = await judgePaths(ctx, detection, standing, outcomes)
  const asked =
    judged.undecided.length === 0
      ? { harmed: [], inspection_of: new Map<HarmedPath, string>() }
      : await ctx.control.transaction((tx) => inspectUndecided(tx, detection, judged.undecided))
  const harmed = [...judged.harmed, ...asked.harmed]
  const below = harmed.filter((path) => issues.some((issue) => isBelow(issue, path)))
  const joined = await followNewMembers(ctx, followed, below)
  const groups = groupUnits(
    harmed.filter((path) => !below.includes(path)),
    [...knownPaths(detection, followed, known_outcomes), ...joined],
  )
  const rest: HarmGroup[] = []
  for (const group of groups) {
    if (await followAgain(ctx, issues, group)) continue
    const [first] = group.members
    const inspection_id = first === undefined || group.harm !== 'redirects' ? null : asked.inspection_of.get(first)
    const opening = { group, text: textOf(detection, group, outcomes), inspection_id: inspection_id ?? null }
    if (rest.length > 0 || !(await openWithinDay(ctx, detection, opening))) rest.push(group)
  }
  await openWholeHosts(ctx, detection, { rest, issues, outcomes })
}

/** The paths that an issue follows with one kind of harm, seen from one side, by `followedKey`. */
const followedKeys = (followed: readonly FollowedIssue[]): ReadonlySet<string> =>
  new Set(
    followed.flatMap(({ issue: { harm, vantage }, members }) =>
      members.map((member) => followedKey({ ...member, harm, vantage })),
    ),
  )

const followedKey = (path: { harm: string; vantage: string; page_id: string; crawler_id: string }) =>
  `${path.harm} ${path.vantage} ${memberKey(path)}`

const isSameHarm = (issue: IssueRow, path: HarmedPath) =>
  issue.host === path.host &&
  issue.harm === path.harm &&
  (issue.crawler_id === null || issue.crawler_id === path.crawler_id)

/** Whether an issue is about exactly this path. */
const isAbout = (issue: IssueRow, path: HarmedPath) =>
  isSameHarm(issue, path) && issue.path_key === keyOfPath(path.path)

/**
 * Whether a path is below the prefix of an issue that is seen from the same side. Issues with a detected fix get no
 * further members this way.
 */
const isBelow = (issue: IssueRow, path: HarmedPath) =>
  isSameHarm(issue, path) &&
  issue.vantage === path.vantage &&
  issue.path_key?.endsWith('*') === true &&
  issue.state !== 'fix_detected' &&
  coversPath(issue.path_key, path.path)

const isFixedPrefix = (issue: IssueRow, group: HarmGroup) =>
  issue.state === 'fix_detected' &&
  issue.vantage === group.vantage &&
  issue.host === group.host &&
  issue.path_key === group.path_key &&
  issue.crawler_id === group.crawler_id &&
  issue.harm === group.harm

/**
 * Adds a group to the issue of its prefix if a fix of that was detected; returns whether there is such an issue. Harm
 * after the fix makes it regress, also at paths that were no members.
 */
async function followAgain(ctx: CrawlerContext, issues: readonly IssueRow[], group: HarmGroup): Promise<boolean> {
  const fixed = issues.find((issue) => isFixedPrefix(issue, group))
  if (fixed === undefined) return false
  await ctx.control.transaction((tx) => addMembers(tx, fixed.id, group.members))
  return true
}

/**
 * The members of open issues that meet the rule, also those whose harm is of days that were not derived again: they
 * count when new harm is grouped.
 */
function knownPaths(
  { as_of }: DetectionScope,
  followed: readonly FollowedIssue[],
  outcomes: OutcomesByPage,
): KnownPath[] {
  const from = ruleFrom(as_of)
  const open = followed.filter(({ issue: { state } }) => state === 'open' || state === 'regressed')
  return open.flatMap(({ issue: { host, vantage, harm, path_key }, members }) =>
    members.flatMap(({ page_id, crawler_id, path }): KnownPath[] => {
      const own = outcomes
        .of([{ page_id }])
        .filter((one) => one.crawler_id === crawler_id && one.vantage === vantage && one.day >= from)
      const harmed = harmedUnit(own, harm as StatusHarm)
      if (harmed === null || path_key === null) return []
      return [{ host, path, page_id, crawler_id, vantage, ...harmed, issue_path_key: path_key }]
    }),
  )
}

interface MarkedPaths {
  marks: readonly IntendedMarkRow[]
  paths: readonly HarmedPath[]
  outcomes: OutcomesByPage
}

/** Reads single instants of the days on which a mark was revoked, if a path was harmed before and after that. */
async function readDaysOfRevocations(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { marks, paths, outcomes }: MarkedPaths,
): Promise<void> {
  const unclear = paths.flatMap((path) => daysAround(outcomes.of([path]), intendedUntil(marks, path)))
  if (unclear.length > 0) await exactDays(ctx, detection, outcomes, unclear)
}

/** The path with only the requests after its mark was revoked; null if these do not meet the rule. */
function afterRevocation(
  marks: readonly IntendedMarkRow[],
  path: HarmedPath,
  outcomes: OutcomesByPage,
): HarmedPath | null {
  const since = intendedUntil(marks, path)
  if (path.first_ms > since) return path
  const later = outcomes
    .of([path])
    .filter((one) => one.crawler_id === path.crawler_id && one.vantage === path.vantage && one.first_ms > since)
  const harmed = harmedUnit(later, path.harm)
  return harmed === null ? null : { ...path, ...harmed }
}

/**
 * Adds harmed paths below the prefix of an open issue to its members, if they could open an issue themselves: a page
 * that was never open is not repaired with the others. If several issues match, the one with the longest prefix gets
 * the path. Returns the paths with their issues.
 */
async function followNewMembers(
  ctx: CrawlerContext,
  followed: readonly FollowedIssue[],
  below: readonly HarmedPath[],
): Promise<KnownPath[]> {
  const lengthOf = ({ issue: { path_key } }: FollowedIssue) => (path_key ?? '').length
  const prefixes = followed.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  const followerOf = (path: HarmedPath) => prefixes.find(({ issue }) => isBelow(issue, path))
  for (const [follower, paths] of Map.groupBy(below, followerOf)) {
    if (follower === undefined) continue
    const { issue, members: known } = follower
    const members = paths.slice(0, Math.max(0, MAX_MEMBERS - known.length))
    if (members.length === 0) continue
    await ctx.control.transaction(async (tx) => {
      if (await writeIssue(tx, issue, evidenceColumnsOf(issue, members))) await addMembers(tx, issue.id, members)
    })
  }
  return below.flatMap((path) => {
    const issue_path_key = followerOf(path)?.issue.path_key
    return issue_path_key == null ? [] : [{ ...path, issue_path_key }]
  })
}

/** The columns of its evidence that an issue gets when it follows these paths as well (rules 8.2). */
function evidenceColumnsOf(issue: IssueRow, members: readonly HarmedPath[]): Partial<IssueRow> {
  const { from, to } = harmfulDays({ members })
  return {
    evidence_from: from < issue.evidence_from ? from : issue.evidence_from,
    evidence_to: to > issue.evidence_to ? to : issue.evidence_to,
    weakest_identity: Math.min(issue.weakest_identity, ...members.map(({ rank }) => rank)),
  }
}

/** The limit of a day that includes issues of whole hosts, because anyone can make up hosts. */
const MAX_WITH_HOSTS = 2 * MAX_OPENINGS_A_DAY

interface LeftGroups {
  rest: readonly HarmGroup[]
  issues: readonly IssueRow[]
  outcomes: OutcomesByPage
}

/** Opens one issue of the whole host for groups beyond the limit of the day. Further hosts wait for the next day. */
async function openWholeHosts(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { rest, issues, outcomes }: LeftGroups,
): Promise<void> {
  for (const group of wholeHost(rest)) {
    if (await followAgain(ctx, issues, group)) continue
    const opening = { group, text: textOf(detection, group, outcomes), inspection_id: null }
    if (!(await openWithinDay(ctx, detection, opening, MAX_WITH_HOSTS))) return
  }
}

function textOf(detection: DetectionScope, group: HarmGroup, outcomes: OutcomesByPage) {
  // Harm of before a mark was revoked does not count.
  const begins = new Map(group.members.map((member) => [memberKey(member), member.first_ms]))
  const harmful = outcomes
    .of(group.members)
    .filter(
      (one) =>
        one.first_ms >= (begins.get(memberKey(one)) ?? Number.POSITIVE_INFINITY) &&
        one.vantage === group.vantage &&
        one.harm === group.harm,
    )
  // For redirects, an inspection has met a loop or a chain.
  return describeGroup(detection, group, harmful, group.harm === 'redirects' ? 'redirect_chain' : null)
}
