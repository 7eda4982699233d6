/** Sources of evidence, and their coverage. */
import type { EpochMs, Truth } from './scalars.ts'

export interface SourceRow {
  id: string
  site_id: string
  source_type: 'cloudflare_zone' | 'https_intake' | 'log_upload'
  /** Of uploads the server, empty for the one unnamed server; of intake the owner's name for it; of a zone its name. */
  name: string
  connection_status: 'pending' | 'live' | 'error' | 'revoked' | 'disconnected'
  is_primary: Truth
  created_at: EpochMs
  /** First durable evidence. */
  connected_at: EpochMs | null
  /** Newest instant that this source has reported through. */
  data_through: EpochMs | null
  /** 1 once any record carried an HTTP status (spec 2.3 http_status_fidelity). */
  has_statuses: Truth
  /** Id of the named server to which the owner assigned these uploads; they keep their evidence (rules 3). */
  moved_to: string | null
  /** What it sees, as its records or its owner say; null, when nothing is known, reads as `origin`. Zones: edge. */
  vantage: 'edge' | 'origin' | null
}

/** One act of delivering evidence, such as an imported file. Without `finished_at` it never becomes full coverage. */
export interface DeliveryRow {
  id: string
  site_id: string
  source_id: string
  state: 'writing' | 'finished' | 'broken'
  started_at: EpochMs
  finished_at: EpochMs | null
  /** Which node writes it; null where one service has the evidence to itself. */
  node_id: string | null
}

/** A question that was asked of Cloudflare with a token. */
export interface CloudflareQuestionRow {
  id: string
  token_sha256: string
  asked_at: EpochMs
}

/** A time range, in whole minutes [from_at, to_at), that a source really covered. */
export interface CoverageIntervalRow {
  id: string
  site_id: string
  source_id: string
  /** A declared host, or `*` for every host of the site (rules 3). */
  host: string
  from_at: EpochMs
  to_at: EpochMs
  quality: 'complete' | 'partial'
  /** Why it is partial: `unfinished`, `no_humans`, `unreadable_lines`, `declared_partial`; empty if complete. */
  reason: string
  /** 1: the owner declared it (`--covers`), no line shows it. */
  is_declared: Truth
  /** Longest silence after its end that still counts as covered, for joining a later interval. */
  silence_limit_ms: number
  /** The same before its beginning, for joining an earlier one. */
  silence_before_ms: number
  /** The delivery that is still writing it; null once finished. */
  delivery_id: string | null
  /** Which sender of a live source covered; empty for sources that have none (rules 3, Intake). */
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
  last_record_at: EpochMs
  last_received_at: EpochMs
  /** When the owner retired it: it is expected only up to its last coverage. Null again with its next delivery. */
  retired_at: EpochMs | null
}

/** When a sender covered a host on days that retention has ended (rules 3, 4). */
export interface ExpiredCoverageRow {
  source_id: string
  sender: string
  host: string
  from_at: EpochMs
  to_at: EpochMs
}

/** The longest silence of a sender on a day that it covered: what counts as its normal quiet (rules 3). */
export interface SenderSilenceRow {
  source_id: string
  sender: string
  day: string
  longest_ms: number
}

/** What a sender delivered about a day, refused records included (rules 3). */
export interface SenderRecordsRow {
  source_id: string
  sender: string
  day: string
  records: number
  /** Those that were refused. */
  unreadable: number
}

/** Which reading of a provider's hour counts: the newest committed one (rules 4). */
export interface HourReadingRow {
  source_id: string
  /** Start of the hour. */
  hour: EpochMs
  /** Number of the reading, never given to another hour or source; its facts carry it. */
  reading: number
  read_at: EpochMs
  /** Which share of the requests the provider looked at; null: all of them. */
  sampling: number | null
  /** 1: even the shortest range held more rows than an answer may. */
  is_capped: Truth
}

/** What is kept of a source of type cloudflare_zone (decisions 3.7). */
export interface ZoneRow {
  source_id: string
  /** Cloudflare's own id, 32 hexadecimal digits. */
  zone_id: string
  zone_name: string
  /** The API token, sealed; null once it was rejected or the owner disconnected. */
  sealed_token: string | null
  /** Names of DNS records that go through Cloudflare, a JSON array of text; null: the token may not read them. */
  proxied: string | null
  /** The same of records that do not. */
  unproxied: string | null
  hostnames_checked_at: EpochMs | null
  /** How far back the provider answers. */
  not_older_than_ms: number
  /** The longest range that one query may ask for. */
  max_duration_ms: number
  /** The most rows that one answer holds. */
  max_page_size: number
  /** Fields that the zone's plan does not give, a JSON array of their names. */
  refused_fields: string
  /** Start of the first hour that is to be read. */
  read_from: EpochMs
  /** Polls that failed since the last good one. */
  failed_polls: number
  /** Why the last poll failed, a stable code; null after a good one. */
  error_code: string | null
  last_poll_at: EpochMs | null
  next_poll_at: EpochMs
}

/** Which source counts a host on the open day, until it is worse (rules 3). Rows of ended days mean nothing. */
export interface OpenDayWinnerRow {
  site_id: string
  host: string
  day: string
  /** Of sources that count together, the one that was connected first. */
  source_id: string
}

/** An hour of a zone that could not be read: it is retried after growing pauses, and no other hour waits for it. */
export interface FailedHourRow {
  source_id: string
  /** Start of the hour. */
  hour: EpochMs
  attempts: number
  /** Why the last attempt failed: a ZoneFault. */
  error_code: string
  next_try_at: EpochMs
}

/** The receipt of an imported log; the newest ones of each site are kept. */
export interface ImportReceiptRow {
  id: string
  site_id: string
  /** How the file was called. */
  label: string
  imported_at: EpochMs
  /** JSON; samples of malformed lines without their text. */
  receipt: string
}
