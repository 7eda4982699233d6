/** Alerts: their receivers, the outbox, and the result of each delivery (rules 8.6). */
import type { EpochMs, Truth } from './scalars.ts'

/** A webhook or an e-mail address that is alerted of changes of one site. */
export interface AlertReceiverRow {
  id: string
  site_id: string
  kind: 'webhook' | 'email'
  /** What people see: the address of an e-mail, the origin of a webhook, whose path may be a secret. */
  target: string
  /** Event types of the contract, a JSON array. */
  event_types: string
  /** `unconfirmed`: the holder of the address has not agreed yet. */
  state: 'unconfirmed' | 'active' | 'off'
  off_reason: 'gone' | 'failing' | 'unsubscribed' | null
  state_since: EpochMs
  created_at: EpochMs
  /** The whole URL of a webhook, sealed. */
  sealed_url: string | null
  /** The secret that signs, sealed; null for e-mail. */
  sealed_secret: string | null
  /** The one before a rotation signs as well until `previous_secret_until`. */
  sealed_previous_secret: string | null
  previous_secret_until: EpochMs | null
  /** SHA-256 of the token that confirms an address, lower-case hex, in force until `confirm_until`. */
  confirm_sha256: string | null
  confirm_until: EpochMs | null
  unsubscribe_sha256: string | null
  sealed_unsubscribe_token: string | null
  /** First failed attempt since the last successful one; null when the last attempt succeeded. */
  failing_since: EpochMs | null
  last_success_at: EpochMs | null
  /** The receiver asked for no attempt before (`Retry-After`). */
  paused_until: EpochMs | null
}

/** One change that receivers are alerted of, recorded in the transaction of the change; the id never changes. */
export interface AlertRow {
  id: string
  site_id: string
  /** An event type of the contract, or `alert.test`. */
  type: string
  /** The issue, source, site or receiver that it is about. */
  subject_id: string
  /** When the change happened, which the payload says. */
  occurred_at: EpochMs
  recorded_at: EpochMs
  /** Order of recording over all sites. */
  position: number
  /** 0: it is only listed in a digest that other alerts cause. */
  is_sent_alone: Truth
  /** The `data` of the payload, JSON. */
  data: string
}

/** One alert for one receiver. */
export interface AlertDeliveryRow {
  id: string
  alert_id: string
  receiver_id: string
  state: 'waiting' | 'delivered' | 'failed' | 'in_digest' | 'dropped'
  attempts: number
  /** When the next attempt is due, while it waits. */
  due_at: EpochMs
  attempted_at: EpochMs | null
  ended_at: EpochMs | null
  /** HTTP or SMTP status of the last attempt; null when there was none. */
  status: number | null
  /** Why the last attempt failed, a stable code. */
  error_code: string | null
  /** The alert that this one became a part of. */
  digest_id: string | null
}

/** When an issue was last alerted of with a type. */
export interface AlertedIssueRow {
  site_id: string
  issue_id: string
  type: string
  /** UTC day. */
  last_day: string
}

/** What the alerts last knew of a source, or of the tracker of a site. */
export interface AlertConditionRow {
  site_id: string
  /** The source, or the site where it is its tracker. */
  subject_id: string
  condition: 'well' | 'silent' | 'error' | 'no_signal' | 'ended'
}
