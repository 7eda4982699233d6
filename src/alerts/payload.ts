/** The payload that a receiver gets: `{type, timestamp, data}` (rules 8.6). */
import { instantText } from '#clock.ts'
import type { AlertRow } from '#control/tables.ts'
import type { AlertedIssue } from './issue-change.ts'

/** `data` of a payload, by what the alert is about; `site_id` and `root_domain` are always there. */
export interface AlertData {
  site_id: string
  root_domain: string
  issue?: AlertedIssue
  /** Only of a digest. */
  digest?: DigestData
  source?: { id: string; source_type: string; name: string; connection_status: string; data_through: string | null }
  tracker?: { state: 'no_signal' | 'live'; last_event_at: string | null }
}

/** Several alerts of one type in a digest. */
export interface DigestData {
  /** The type of the alerts. */
  event_type: string
  issue_count: number
  /** At most MAX_DIGEST_ISSUES, in the order of their changes. */
  issues: DigestIssue[]
  truncated: boolean
}

export type DigestIssue = Pick<
  AlertedIssue,
  'id' | 'title' | 'state' | 'cause' | 'confidence' | 'path' | 'crawler_id' | 'detected_at' | 'fix_confirmed_at'
>

export const MAX_DIGEST_ISSUES = 50

export type StoredAlert = Pick<AlertRow, 'id' | 'type' | 'occurred_at' | 'data'>

/** The stored data of an alert. */
export const readAlertData = ({ data }: Pick<AlertRow, 'data'>): AlertData => JSON.parse(data)

/** The body of a webhook: the same bytes at each attempt. */
export function payloadText({ type, occurred_at, data }: StoredAlert): string {
  return JSON.stringify({ type, timestamp: instantText(occurred_at), data: JSON.parse(data) })
}
