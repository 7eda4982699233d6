/**
 * Changes of issues as detection reports them, and which of them cause alerts (rules 8.1, 8.2).
 */
import type { Issue } from '#contract/site-api/issues.ts'
import type { IssueChangeKind } from '#contract/vocabulary.ts'

/** An issue as in getIssues (spec 2.5), without its `fix_prompt`. */
export type AlertedIssue = Omit<Issue, 'fix_prompt' | 'state'> & { state: Issue['state'] | 'withdrawn' }

/** One change of the state of one issue. */
export interface IssueChange {
  kind: IssueChangeKind
  /** Epoch milliseconds. */
  changed_at: number
  /** The issue after the change; alerts contain only the members of this type. */
  issue: AlertedIssue
  /** The unit's harm, for example `refused` (rules 8.1). */
  harm: string
  /** Null: some harmful request was verified, or the harm does not depend on the identity. */
  unverified_harm: UnverifiedHarm | null
}

/** Harm to requests that only claim to be the crawler's. */
interface UnverifiedHarm {
  /** The number of harmful requests. */
  request_count: number
  /** The number of UTC days with harmful requests. */
  day_count: number
}

const MIN_UNVERIFIED_REQUESTS = 20
const MIN_UNVERIFIED_DAYS = 2

/** Whether evidence is enough for an alert; unverified harm needs more (rules 8.1, Identity). */
export function isEnoughToAlert({ unverified_harm }: Pick<IssueChange, 'unverified_harm'>): boolean {
  if (unverified_harm === null) return true
  const { request_count, day_count } = unverified_harm
  return day_count >= MIN_UNVERIFIED_DAYS || request_count >= MIN_UNVERIFIED_REQUESTS
}

/** Whether the harm causes an alert by itself; a page that is gone is only listed in digests (rules 8.1). */
export const isAlertedAlone = ({ harm }: Pick<IssueChange, 'harm'>): boolean => harm !== 'gone'
