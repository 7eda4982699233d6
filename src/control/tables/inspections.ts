/** Inspections of pages, and the history of robots.txt (rules 8.3, 8.4). */
import type { EpochMs, Truth } from './scalars.ts'

/** `page`: a page as a crawler meets it. `snippet`: the home page of a site, for the tracker's snippet. */
export type InspectionKind = 'page' | 'snippet'

/**
 * Why it is made. `verify` and `baseline` share a budget, `precondition` has one, and all others share the third.
 * `follow_up`: after 1, 6 and 24 hours and then daily while an issue is open. `home`: daily, of a host that crawlers
 * visit. `snippet`: kind `snippet`.
 */
export type InspectionReason = 'verify' | 'baseline' | 'precondition' | 'success' | 'follow_up' | 'home' | 'snippet'

/** Why an inspection has not been made, or not yet. */
export type InspectionObstacle =
  /** The budget of its site and hour is used up; it stays queued. */
  | 'budget'
  /** Its path was redacted or cut, so that it names no page; final. */
  | 'not_possible'
  /** It waited for a day; final. */
  | 'expired'
  /** The service failed while making it; final. */
  | 'failed'

/** One inspection: queued, running, done, or never made. */
export interface InspectionRow {
  id: string
  site_id: string
  kind: InspectionKind
  reason: InspectionReason
  host: string
  path: string
  crawler_id: string | null
  /** The issue that asked for it; no foreign key, because each may outlive the other. */
  issue_id: string | null
  /** The same for inspections that are judged together, such as the members of a prefix. */
  round_id: string
  weight: number
  state: 'queued' | 'running' | 'done' | 'not_made'
  obstacle: InspectionObstacle | null
  queued_at: EpochMs
  due_at: EpochMs
  started_at: EpochMs | null
  ended_at: EpochMs | null
  /** Over which it was made; null until it is done. */
  scheme: 'https' | 'http' | null
  /** Of a page: 1 when it was clean; null until it is done. */
  is_clean: Truth | null
  /** Of a page: InspectionResult.reproduced; null until it is done. */
  reproduced: 'yes' | 'no' | 'unknown' | null
  /** InspectionResult or SnippetResult as JSON; null until it is done. */
  result: string | null
}

/** Consecutive fetches of a robots.txt that were answered alike, from the first to the last of them. */
export interface RobotsSnapshotRow {
  id: string
  site_id: string
  scheme: 'https' | 'http'
  host: string
  first_fetched_at: EpochMs
  last_fetched_at: EpochMs
  /** Null where there was no answer. */
  status: number | null
  /** Why there was no answer, as OutgoingRefusal names it. */
  failure: string | null
  /** Of `robots_bodies`; null where no body counts. */
  sha256: string | null
  /** 1: only the first 500 KiB were kept. */
  is_truncated: Truth
  /** 1: the body has a decisive challenge signal, so the crawler may have received another file. */
  is_challenge: Truth
}

/** A body of a robots.txt, kept once per site and hash. */
export interface RobotsBodyRow {
  site_id: string
  sha256: string
  size_bytes: number
  /** gzip, base64. */
  body: string
}
