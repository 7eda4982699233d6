/** Opens issues for harmed paths without an issue or mark: grouped, and bounded in number (rules 8.1). */
import type { IntendedMarkRow, IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { describeGroup, harmfulDays } from './describe-group.ts'
import type { DetectionScope } from './detection-scope.ts'
import type { FollowedIssue } from './evidence-of-issue.ts'
import { type HarmedPaths, inspectUndecided, judgePaths } from './find-harmed-paths.ts'
import { readFollowed, readMarks } from './followed-issues.ts'
import { groupUnits, type HarmedPath, type HarmGroup, type KnownPath, wholeHost } from './group-units.ts'
import { harmedUnit } from './harmed-unit.ts'
import { daysAround, memberKey } from './later-evidence.ts'
import { intendedUntil, isIntended } from './match-marks.ts'
import { addMembers, MAX_OPENINGS_A_DAY, openWithinDay } from './open-issue-once.ts'
import { exactDays, type OutcomesByPage } from './read-outcomes.ts'
import { coversPath, keyOfPath } from './unit.ts'
import { writeIssue } from './write-issue.ts'

/** Opens the issues, and adds new members to the issues of prefixes. */
export async function openNewIssues(
  ctx: CrawlerContext,
  detection: DetectionScope,
  { paths, outcomes }: HarmedPaths,
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
  await followNewMembers(ctx, issues, below)
  const groups = groupUnits(
    harmed.filter((path) => !below.includes(path)),
    knownPaths(followed, paths),
  )
  const rest: HarmGroup[] = []
  for (const group of groups) {
    const fixed = issues.find((issue) => isFixedPrefix(issue, group))
    if (fixed !== undefined) {
      // Harm after the fix makes the issue regress, also at paths that were no members.
      await ctx.control.transaction((tx) => addMembers(tx, fixed.id, group.members))
      continue
    }
    const [first] = group.members
    const inspection_id = first === undefined || group.harm !== 'redirects' ? null : asked.inspection_of.get(first)
    const opening = { group, text: textOf(detection, group, outcomes), inspection_id: inspection_id ?? null }
    if (rest.length > 0 || !(await openWithinDay(ctx, detection, opening))) rest.push(group)
  }
  await openWholeHosts(ctx, detection, rest, outcomes)
}

/** The paths that an issue follows with one kind of harm, by `followedKey`. */
const followedKeys = (followed: readonly FollowedIssue[]): ReadonlySet<string> =>
  new Set(
    followed.flatMap(({ issue, members }) => members.map((member) => followedKey({ ...member, harm: issue.harm }))),
  )

const followedKey = (path: { harm: string; page_id: string; crawler_id: string }) => `${path.harm} ${memberKey(path)}`

const isSameHarm = (issue: IssueRow, path: HarmedPath) =>
  issue.host === path.host &&
  issue.harm === path.harm &&
  (issue.crawler_id === null || issue.crawler_id === path.crawler_id)

/** Whether an issue is about exactly this path. */
const isAbout = (issue: IssueRow, path: HarmedPath) =>
  isSameHarm(issue, path) && issue.path_key === keyOfPath(path.path)

/** Whether a path is below the prefix of an issue. Issues with a detected fix get no further members this way. */
const isBelow = (issue: IssueRow, path: HarmedPath) =>
  isSameHarm(issue, path) &&
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

/** The harmed paths that are members of open issues. */
function knownPaths(followed: readonly FollowedIssue[], paths: readonly HarmedPath[]): KnownPath[] {
  const open = followed.filter(({ issue: { state } }) => state === 'open' || state === 'regressed')
  const keys = new Map(
    open.flatMap(({ issue, members }) =>
      members.map((member) => [`${issue.harm} ${issue.vantage} ${memberKey(member)}`, issue.path_key]),
    ),
  )
  return paths.flatMap((path) => {
    const issue_path_key = keys.get(`${path.harm} ${path.vantage} ${memberKey(path)}`)
    return issue_path_key == null ? [] : [{ ...path, issue_path_key }]
  })
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
 * the path.
 */
async function followNewMembers(
  ctx: CrawlerContext,
  issues: readonly IssueRow[],
  below: readonly HarmedPath[],
): Promise<void> {
  const prefixes = issues.flatMap((issue) => (issue.path_key === null ? [] : { issue, length: issue.path_key.length }))
  prefixes.sort((a, b) => b.length - a.length)
  const followerOf = (path: HarmedPath) =>
    prefixes.find(({ issue }) => issue.vantage === path.vantage && isBelow(issue, path))?.issue
  for (const [issue, members] of Map.groupBy(below, followerOf)) {
    if (issue === undefined) continue
    await ctx.control.transaction(async (tx) => {
      if (await writeIssue(tx, issue, evidenceColumnsOf(issue, members))) await addMembers(tx, issue.id, members)
    })
  }
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

/** Opens one issue of the whole host for groups beyond the limit of the day. Further hosts wait for the next day. */
async function openWholeHosts(
  ctx: CrawlerContext,
  detection: DetectionScope,
  rest: readonly HarmGroup[],
  outcomes: OutcomesByPage,
): Promise<void> {
  for (const group of wholeHost(rest)) {
    const opening = { group, text: textOf(detection, group, outcomes), inspection_id: null }
    if (!(await openWithinDay(ctx, detection, opening, MAX_WITH_HOSTS))) return
  }
}

function textOf(detection: DetectionScope, group: HarmGroup, outcomes: OutcomesByPage) {
  const members = new Set(group.members.map(memberKey))
  const since = Math.min(...group.members.map(({ first_ms }) => first_ms))
  const harmful = outcomes
    .of(group.members)
    .filter(
      (one) =>
        members.has(memberKey(one)) &&
        one.vantage === group.vantage &&
        one.harm === group.harm &&
        one.first_ms >= since,
    )
  // For redirects, an inspection has met a loop or a chain.
  return describeGroup(detection, group, harmful, group.harm === 'redirects' ? 'redirect_chain' : null)
}
