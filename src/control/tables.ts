import type { Generated } from 'kysely'
import type {
  AuthorityAssignmentRow,
  AuthorityInterruptionRow,
  ContractRevisionRow,
  GateRow,
} from './authority-tables.ts'
import type { AccountRow, OneTimeLinkRow, PasswordRow, UserRow } from './people-tables.ts'

export type { AuthorityInterruptionRow, ContractRevisionRow } from './authority-tables.ts'
export type { AccountRow, UserRow } from './people-tables.ts'

/**
 * The control store: what people decide and what the service must remember about evidence, but no evidence itself.
 * Column types are portable between SQLite and PostgreSQL: uuids and JSON as text, instants as epoch milliseconds, truth as 0 or 1.
 */
export interface ControlTables {
  accounts: AccountRow
  users: UserRow
  passwords: PasswordRow
  one_time_links: OneTimeLinkRow
  sites: Omit<SiteRow, 'retention_days'> & { retention_days: Generated<number> }
  members: MemberRow
  site_keys: SiteKeyRow
  site_key_sites: SiteKeySiteRow
  sources: SourceRow
  deliveries: DeliveryRow
  coverage_intervals: Omit<CoverageIntervalRow, 'sender' | 'sampling' | 'is_backfill' | 'silence_before_ms'> & {
    silence_before_ms: Generated<number>
    sender: Generated<string>
    sampling: Generated<number | null>
    is_backfill: Generated<Truth>
  }
  senders: SenderRow
  sender_silences: SenderSilenceRow
  hour_readings: HourReadingRow
  retired_readings: RetiredReadingRow
  zones: ZoneRow
  dirty_days: DirtyDayRow
  day_builds: DayBuildRow
  retired_builds: RetiredBuildRow
  registry_versions: RegistryVersionRow
  settings: SettingRow
  removed_sites: RemovedSiteRow
  day_receipts: DayReceiptRow
  expired_days: ExpiredDayRow
  gates: GateRow
  contract_revisions: ContractRevisionRow
  authority_assignments: AuthorityAssignmentRow
  authority_interruptions: AuthorityInterruptionRow
}

/** Epoch milliseconds, UTC. */
export type Instant = number
/** SQL has no portable boolean that every driver binds. */
export type Truth = 0 | 1

export interface SiteRow {
  id: string
  account_id: string
  /** Lower case, punycode, no `www.` (rules 1); unique per account among sites that are not removed. */
  root_domain: string
  created_at: Instant
  /** How many days evidence is kept (decisions 8). */
  retention_days: number
}

export interface MemberRow {
  site_id: string
  user_id: string
  role: 'owner' | 'editor' | 'viewer'
  created_at: Instant
}

/** A surface A key. The secret itself is never stored (decisions 2). */
export interface SiteKeyRow {
  id: string
  user_id: string
  name: string
  prefix: string
  secret_sha256: string
  /** 1: sees only the sites named in site_key_sites; 0: sees every site of its member. */
  is_restricted: Truth
  created_at: Instant
  revoked_at: Instant | null
  last_used_at: Instant | null
}

export interface SiteKeySiteRow {
  key_id: string
  site_id: string
}

export interface SourceRow {
  id: string
  site_id: string
  source_type: 'cloudflare_zone' | 'https_intake' | 'log_upload'
  /** Name of the server whose logs these are; empty for the one unnamed server. */
  server: string
  connection_status: 'pending' | 'live' | 'error' | 'revoked' | 'disconnected'
  is_primary: Truth
  created_at: Instant
  /** First durable evidence. */
  connected_at: Instant | null
  /** Newest instant that this source has reported through. */
  data_through: Instant | null
  /** 1 once any record carried an HTTP status (spec 2.3 http_status_fidelity). */
  has_statuses: Truth
}

/** One act of delivering evidence: an imported file now, batches and polls later. Without `finished_at` it never becomes full coverage. */
export interface DeliveryRow {
  id: string
  site_id: string
  source_id: string
  state: 'writing' | 'finished' | 'broken'
  started_at: Instant
  finished_at: Instant | null
}

/** A stretch of time, in whole minutes [from_at, to_at), that a source really watched. */
export interface CoverageIntervalRow {
  id: string
  site_id: string
  source_id: string
  /** A declared host, or `*` for every host of the site (rules 3). */
  host: string
  from_at: Instant
  to_at: Instant
  quality: 'complete' | 'partial'
  /** Why the quality is partial, empty when complete: `unfinished`, `no_humans`, `unreadable_lines`, `declared_partial`. */
  reason: string
  /** 1: the owner declared it (`--covers`), no line shows it. */
  is_declared: Truth
  /** Longest silence after its end that still counts as watched, for joining a later interval. */
  silence_limit_ms: number
  /** The same before its beginning, for joining an earlier one. */
  silence_before_ms: number
  /** The delivery that is still writing it; null once finished. */
  delivery_id: string | null
  /** Which sender of a live source watched; empty for sources that have none (rules 3, Intake). */
  sender: string
  /** Which share of the requests was looked at; null: all of them. */
  sampling: number | null
  /** 1: the provider's history from before the connection, not observed by the service (spec 2.3). */
  is_backfill: Truth
}

/** One program that delivers to a live source: `X-Spoor-Sender`, else its token's id (rules 3). */
export interface SenderRow {
  source_id: string
  name: string
  /** Newest instant it has reported through: a record's time, or the end of a heartbeat. */
  last_record_at: Instant
  last_received_at: Instant
}

/** The longest silence of a sender on a day that it covered: what counts as its normal quiet (rules 3). */
export interface SenderSilenceRow {
  source_id: string
  sender: string
  day: string
  longest_ms: number
}

/** Which reading of a provider's hour counts: the newest committed one (rules 4). */
export interface HourReadingRow {
  source_id: string
  /** Start of the hour. */
  hour: Instant
  /** Number of the reading, never given to another hour or source; its facts carry it. */
  reading: number
  read_at: Instant
}

/** A reading that does not count, because a newer one replaced it or its poll has not ended; its facts are deleted later. */
export interface RetiredReadingRow {
  source_id: string
  reading: number
  hour: Instant
  /** The delivery that wrote its facts. */
  delivery_id: string
  retired_at: Instant
}

/** What is kept of a source of type cloudflare_zone (decisions 3.7). */
export interface ZoneRow {
  source_id: string
  /** Cloudflare's own id, 32 hexadecimal digits. */
  zone_id: string
  zone_name: string
  /** The API token, sealed; null once it was rejected or the owner disconnected. */
  sealed_token: string | null
  /** Names of DNS records that go through Cloudflare, a JSON array of text; null: nobody may read them. */
  proxied: string | null
  /** The same of records that do not. */
  unproxied: string | null
  hostnames_checked_at: Instant | null
  /** How far back the provider answers. */
  not_older_than_ms: number
  /** The longest stretch that one query may ask for. */
  max_duration_ms: number
  /** The most rows that one answer holds. */
  max_page_size: number
  /** Fields that the zone's plan does not give, a JSON array of their names. */
  refused_fields: string
  /** Start of the first hour that is to be read. */
  read_from: Instant
  /** Polls that failed since the last good one. */
  failed_polls: number
  /** Why the last poll failed, a stable code; null after a good one. */
  error_code: string | null
  last_poll_at: Instant | null
  next_poll_at: Instant
}

/** A day with at least one row is read from facts; roll-ups of it may be stale. */
export interface DirtyDayRow {
  site_id: string
  /** `YYYY-MM-DD`, UTC. */
  day: string
  delivery_id: string
  /** `writing`: facts may still arrive, the day must not be rebuilt. `written`: it may. */
  state: 'writing' | 'written'
}

/** Which build of a day's roll-ups counts. */
export interface DayBuildRow {
  site_id: string
  day: string
  build: number
}

/** A build that no longer counts, kept until every reader that may still use it is done. */
export interface RetiredBuildRow {
  site_id: string
  day: string
  build: number
  retired_at: Instant
}

export interface RegistryVersionRow {
  version: string
  /** The whole registry document, JSON. */
  document: string
  sha256: string
  loaded_at: Instant
}

/** One row per installation-wide value, for example `registry_version` or `next_build`. */
export interface SettingRow {
  name: string
  value: string
}

/** A site that was removed; its evidence is deleted after the control rows, by a job that survives a crash. */
export interface RemovedSiteRow {
  site_id: string
  removed_at: Instant
  /** Null while evidence of this site may still be stored. */
  evidence_deleted_at: Instant | null
}

/** When a day of an upload last received something new: uploads age from receipt (rules 4, Retention). */
export interface DayReceiptRow {
  site_id: string
  source_id: string
  day: string
  received_at: Instant
}

/** A day of a source that retention has ended: a gap already, its facts still to be deleted. */
export interface ExpiredDayRow {
  site_id: string
  source_id: string
  day: string
  expired_at: Instant
}
