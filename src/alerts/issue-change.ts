/**
 * What detection hands over when the state of an issue changes, and which of these changes are alerted of (rules 8.1,
 * 8.2).
 */
import type { Issue } from '#contract/site-api/issues.ts'
import type { IssueChangeKind } from '#contract/vocabulary.ts'

/** An issue as getIssues describes it (spec 2.5), which alerts hand on without its `fix_prompt`. */
export type AlertedIssue = Omit<Issue, 'fix_prompt' | 'state'> & { state: Issue['state'] | 'withdrawn' }

/** One change of the state of one issue. */
export interface IssueChange {
  kind: IssueChangeKind
  /** Epoch milliseconds. */
  changed_at: number
  /** The issue after the change; members besides those of the type are not handed on. */
  issue: AlertedIssue
  /** The unit's harm, for example `refused` (rules 8.1). */
  harm: string
  /** Null where all harmful requests were made by a verified crawler, or where nothing depends on the identity. */
  unverified_harm: UnverifiedHarm | null
}

/** Harm of which only the user agent says whose it is. */
interface UnverifiedHarm {
  /** Harmful requests that were counted. */
  request_count: number
  /** UTC days with one. */
  day_count: number
}

const MIN_UNVERIFIED_REQUESTS = 20
const MIN_UNVERIFIED_DAYS = 2

/** Whether evidence is enough to open an alert: what only the user agent says needs more (rules 8.1, Identity). */
export function isEnoughToAlert({ unverified_harm }: Pick<IssueChange, 'unverified_harm'>): boolean {
  if (unverified_harm === null) return true
  const { request_count, day_count } = unverified_harm
  return day_count >= MIN_UNVERIFIED_DAYS || request_count >= MIN_UNVERIFIED_REQUESTS
}

/** A page that is gone never alerts alone: it is listed where other issues make a digest (rules 8.1). */
export const isAlertedAlone = ({ harm }: Pick<IssueChange, 'harm'>): boolean => harm !== 'gone'
