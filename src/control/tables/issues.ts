/** Issues, their changes, and the marks of owners (rules 8.1, 8.2). */
import type { EpochMs } from './scalars.ts'

export interface IssueRow {
  id: string
  site_id: string
  /** What the issue is about, as one text (issues/unit.ts), while it is listed; null after. */
  unit: string | null
  host: string
  /** A path, a prefix that ends with `*`, or the pattern of a robots rule; null for a whole host. */
  path_key: string | null
  /** Null: of several crawlers, or of every visitor. */
  crawler_id: string | null
  harm: string
  /** Where its harm was recorded: requests seen from elsewhere do not move it. */
  vantage: 'edge' | 'origin'
  state: 'open' | 'fix_detected' | 'regressed' | 'withdrawn' | 'lapsed' | 'closed'
  /** When it was opened, or regressed last. */
  opened_at: EpochMs
  last_harm_at: EpochMs
  baseline: 'yes' | 'no' | 'unknown' | null
  clean_since: EpochMs | null
  fix_detected_at: EpochMs | null
  fix_confirmed_at: EpochMs | null
  detected_at: EpochMs
  /** When it was withdrawn, lapsed or closed. */
  ended_at: EpochMs | null
  cause: string
  confidence: 'high' | 'medium' | 'low'
  title: string
  description: string | null
  fix_prompt: string | null
  /** Days of the requests that it rests on, both inclusive. */
  evidence_from: string
  evidence_to: string
  /** Paths that met the rule when it opened or regressed; `issue_members` holds the most harmed of them. */
  member_count: number
  /** Of the harmful requests: 1 `ua_identified`, 2 `provider_verified`, 3 `network_verified`. */
  weakest_identity: number
  /** Harmful requests of the last 7 days, as of the newest detection. */
  recent_harm_count: number
  /** The issue of the same unit that had been closed before this one. */
  previous_id: string | null
  /** Rises with every write, so that of two writers the second sees that it was late. */
  revision: number
}

/** One item of `evidence_refs`; written once. */
export interface IssueEvidenceRow {
  issue_id: string
  position: number
  /** As the interface has it (spec 2.5), as JSON. */
  ref: string
}

/** A path below the prefix of an issue that met the rule when the issue opened. An issue of one path has that one. */
export interface IssueMemberRow {
  issue_id: string
  /** Of the evidence store, 64 bits as decimal text. */
  page_id: string
  crawler_id: string
  path: string
  /** Harmful requests when the issue opened or regressed. */
  harmful: number
  /** Requests there whose response was observed, as of then. */
  observed: number
}

/** One change of an issue's state, recorded with it: what alerts are sent for. */
export interface IssueChangeRow {
  id: string
  issue_id: string
  site_id: string
  at: EpochMs
  change: 'opened' | 'fix_detected' | 'fix_confirmed' | 'regressed' | 'withdrawn' | 'lapsed' | 'closed'
  /** The inspection that decided it. */
  inspection_id: string | null
}

/** Harm that the owner wants: while a mark stands, nothing opens under it. */
export interface IntendedMarkRow {
  id: string
  site_id: string
  host: string
  /** A path, or a prefix that ends with `*`. */
  path_key: string
  /** Null: every crawler. */
  crawler_id: string | null
  harm: string
  created_at: EpochMs
  revoked_at: EpochMs | null
}

/** Refusals that only impostors met, as of the newest detection: they make no issue. */
export interface ImpostorRefusalRow {
  site_id: string
  host: string
  path: string
  /** The crawler whose name they carried. */
  crawler_id: string
  requests: number
  first_day: string
  last_day: string
}
