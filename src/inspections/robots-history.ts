/** The robots.txt that a crawler may have followed at an instant in the past, and its decision (rules 8.4). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import type { RobotsSnapshotRow } from '#control/tables.ts'
import type { RegistryEntry } from '#crawlers/registry/document.ts'
import { type FailedCode, REFUSED_CODES } from '#outgoing/refused.ts'
import type { RobotsFetch } from '#robots/availability.ts'
import { decideInThread, type ThreadDecision } from '#robots/decide-thread.ts'
import { findSnapshots, type RobotsHost, readRobotsBody } from './robots-snapshots.ts'
import type { RobotsVisit } from './robots-visit.ts'

/** RFC 9309 2.4. */
const CACHE_HOURS = 24

/**
 * The snapshots that a crawler may have followed at an instant, the one in force first; null if the rules of that time
 * are unknown. They are known between two equal fetches and, unless only closed intervals count, for 24 hours after the
 * newest fetch. A crawler may follow its copy for its cache time, and may have fetched the older file until the newer
 * one was met first. `snapshots` are in ascending order.
 */
export function snapshotsInForce(
  snapshots: readonly RobotsSnapshotRow[],
  instant: number,
  { cache_ms, isClosedOnly }: { cache_ms: number; isClosedOnly: boolean },
): RobotsSnapshotRow[] | null {
  const newest = snapshots.at(-1)
  const endOf = (snapshot: RobotsSnapshotRow) =>
    snapshot === newest && !isClosedOnly ? snapshot.last_fetched_at + DAY_MS : snapshot.last_fetched_at
  const current = snapshots.find((one) => one.first_fetched_at <= instant && instant <= endOf(one))
  if (current === undefined) return null
  const earlier = snapshots.filter(({ first_fetched_at }, index) => {
    const next = snapshots[index + 1]
    const isEarlier = first_fetched_at < current.first_fetched_at
    return isEarlier && next !== undefined && next.first_fetched_at > instant - cache_ms
  })
  return [current, ...earlier]
}

export interface PastRequest {
  site_id: string
  scheme: 'https' | 'http'
  host: string
  /** path/v1. */
  path: string
  /** Epoch milliseconds. */
  at: number
}

export interface PastDecision extends Omit<ThreadDecision, 'reason'> {
  /** `rules_not_known`: no snapshot covers the instant. `cached_rules_differ`: an older copy decides otherwise. */
  reason: ThreadDecision['reason'] | 'rules_not_known' | 'cached_rules_differ'
  /** Id of the snapshot in force. */
  snapshot_id: string | null
}

/** The decision on a past request by the rules of its time. Issues use closed intervals only. */
export async function decidePastRequest(
  db: ControlDb,
  request: PastRequest,
  crawler: RegistryEntry,
  options: { isClosedOnly: boolean },
): Promise<PastDecision> {
  const cache_ms = (crawler.robots?.cache_hours ?? CACHE_HOURS) * HOUR_MS
  const inForce = snapshotsInForce(await findSnapshots(db, request), request.at, { cache_ms, ...options })
  const [current, ...earlier] = inForce ?? []
  if (current === undefined) return { ...UNKNOWN, reason: 'rules_not_known', snapshot_id: null }
  const asked = { path: request.path, crawler, at: request.at }
  const decision = await decideBySnapshot(db, current, asked)
  for (const snapshot of earlier) {
    const older = await decideBySnapshot(db, snapshot, asked)
    if (older.decision !== decision.decision)
      return { ...UNKNOWN, reason: 'cached_rules_differ', snapshot_id: current.id }
  }
  return { ...decision, snapshot_id: current.id }
}

const UNKNOWN = {
  decision: 'unknown' as const,
  group: null,
  rule: null,
  line: null,
  deviation: null,
  engine: null,
}

async function decideBySnapshot(
  db: ControlDb,
  snapshot: RobotsSnapshotRow,
  { path, crawler, at }: { path: string; crawler: RegistryEntry; at: number },
): Promise<ThreadDecision> {
  const [decision] = await decidePathsBySnapshot(db, snapshot, { paths: [path], crawler, at })
  return decision as ThreadDecision
}

/** The decisions of a snapshot on several paths (path/v1), in their order. @param at epoch milliseconds. */
export async function decidePathsBySnapshot(
  db: ControlDb,
  snapshot: RobotsSnapshotRow,
  { paths, crawler, at }: { paths: readonly string[]; crawler: RegistryEntry; at: number },
): Promise<ThreadDecision[]> {
  const { status, failure, is_challenge, first_fetched_at } = snapshot
  const { decisions } = await decideInThread({
    fetch: {
      status,
      has_too_many_redirects: failure === TOO_MANY_REDIRECTS,
      body: await readFetchedBody(db, snapshot),
      unreachable_for_ms: at - first_fetched_at,
    },
    is_challenge: is_challenge === 1,
    is_declined: failure !== null && DECLINED.has(failure),
    is_unreadable: failure === UNREADABLE,
    targets: paths,
    isStoredPath: true,
    crawlers: [{ token: crawler.robots_token, reading: crawler.robots }],
  })
  return decisions
}

/** The body as it was fetched: one byte over the limit shows that it was truncated. */
async function readFetchedBody(db: ControlDb, snapshot: RobotsSnapshotRow): Promise<Buffer> {
  const body = await readRobotsBody(db, snapshot)
  return snapshot.is_truncated === 1 ? Buffer.concat([body, Buffer.from('\n')]) : body
}

const DECLINED: ReadonlySet<string> = new Set(REFUSED_CODES)
const UNREADABLE: FailedCode = 'encoding'
const TOO_MANY_REDIRECTS: FailedCode = 'too_many_redirects'

/**
 * A fetch of now as the engine decides by it. Of a file that is not reached, crawlers may use their copy of the last
 * one that was, and may do as they like after about 30 days (RFC 9309 2.3.1.4, 2.4): both are in the history.
 */
export async function fetchWithHistory(
  db: ControlDb,
  host: RobotsHost,
  { status, has_too_many_redirects, body }: RobotsVisit,
  now: number,
): Promise<RobotsFetch> {
  const fetch = { status, has_too_many_redirects, body }
  if (has_too_many_redirects || (status !== null && status < 500)) return fetch
  const snapshots = await findSnapshots(db, host)
  const reached = snapshots.findLastIndex(wasReached)
  const [last, since] = [snapshots[reached], snapshots[reached + 1]]
  const isFile = last !== undefined && last.sha256 !== null && last.is_challenge === 0
  return {
    ...fetch,
    unreachable_for_ms: since === undefined ? 0 : now - since.first_fetched_at,
    ...(isFile ? { last_body: await readFetchedBody(db, last) } : {}),
  }
}

/** Where Spoor does not go, and what it cannot read, crawlers may have reached. */
function wasReached({ status, failure }: RobotsSnapshotRow): boolean {
  if (status !== null) return status < 500
  return failure !== null && (DECLINED.has(failure) || failure === UNREADABLE || failure === TOO_MANY_REDIRECTS)
}
