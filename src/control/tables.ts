import type { Generated } from 'kysely'
import type * as accessChecks from './tables/access-checks.ts'
import type * as alerts from './tables/alerts.ts'
import type * as authority from './tables/authority.ts'
import type * as brands from './tables/brands.ts'
import type * as days from './tables/days.ts'
import type * as engines from './tables/engines.ts'
import type * as fixes from './tables/fixes.ts'
import type * as identity from './tables/identity.ts'
import type * as inspections from './tables/inspections.ts'
import type * as installation from './tables/installation.ts'
import type * as intake from './tables/intake.ts'
import type * as issues from './tables/issues.ts'
import type * as jobs from './tables/jobs.ts'
import type * as nodes from './tables/nodes.ts'
import type * as people from './tables/people.ts'
import type * as scalars from './tables/scalars.ts'
import type * as searchData from './tables/search-data.ts'
import type * as sources from './tables/sources.ts'
import type * as tracker from './tables/tracker.ts'

/**
 * The control store: what people decide and what the service must remember about evidence, but no evidence itself.
 * Column types are portable between SQLite and PostgreSQL: uuids and JSON as text, instants as epoch milliseconds,
 * booleans as 0 or 1.
 */
export interface ControlTables {
  accounts: Omit<people.AccountRow, 'access_ends_at' | 'active_question_limit'> & {
    access_ends_at: Generated<number | null>
    active_question_limit: Generated<number>
  }
  users: Omit<people.UserRow, 'account_role'> & { account_role: Generated<people.UserRow['account_role']> }
  account_tokens: people.AccountTokenRow
  deprecated_uses: people.DeprecatedUseRow
  brands: brands.BrandRow & { retention_days: Generated<number> }
  competitors: brands.CompetitorRow
  questions: brands.QuestionRow
  question_runs: brands.QuestionRunRow
  mention_versions: brands.MentionVersionRow
  question_batches: brands.QuestionBatchRow
  plan_engines: brands.PlanEngineRow
  engine_settings: engines.EngineSettingRow
  engine_months: engines.EngineMonthRow
  engine_calls: engines.EngineCallRow
  classifications: engines.ClassificationRow
  scan_schedules: engines.ScanScheduleRow
  scans: engines.ScanRow
  scan_runs: engines.ScanRunRow
  sentiment_settings: engines.SentimentSettingRow
  fixes: fixes.FixRow
  search_days: searchData.SearchDayRow
  search_connections: searchData.SearchConnectionRow
  passwords: people.PasswordRow
  one_time_links: people.OneTimeLinkRow
  sessions: people.SessionRow
  sign_in_tries: people.SignInTryRow
  sign_in_links: people.SignInLinkRow
  sites: Omit<people.SiteRow, 'retention_days'> & { retention_days: Generated<number> }
  site_aliases: people.SiteAliasRow
  members: people.MemberRow
  site_keys: people.SiteKeyRow
  site_key_sites: people.SiteKeySiteRow
  sources: Omit<sources.SourceRow, 'moved_to' | 'vantage'> & {
    moved_to: Generated<string | null>
    vantage: Generated<sources.SourceRow['vantage']>
  }
  deliveries: Omit<sources.DeliveryRow, 'node_id'> & { node_id: Generated<string | null> }
  coverage_intervals: Omit<sources.CoverageIntervalRow, 'sender' | 'sampling' | 'is_backfill' | 'silence_before_ms'> & {
    silence_before_ms: Generated<number>
    sender: Generated<string>
    sampling: Generated<number | null>
    is_backfill: Generated<scalars.Truth>
  }
  senders: Omit<sources.SenderRow, 'retired_at'> & { retired_at: Generated<number | null> }
  open_day_winners: sources.OpenDayWinnerRow
  failed_hours: sources.FailedHourRow
  import_receipts: sources.ImportReceiptRow
  forgotten_watches: sources.ExpiredCoverageRow
  sender_silences: sources.SenderSilenceRow
  sender_records: sources.SenderRecordsRow
  hour_readings: sources.HourReadingRow
  zones: sources.ZoneRow
  source_tokens: intake.SourceTokenRow
  intake_batches: intake.IntakeBatchRow
  dirty_days: days.DirtyDayRow
  builds: days.BuildRow
  retired_builds: days.RetiredBuildRow
  registry_versions: installation.RegistryVersionRow
  settings: installation.SettingRow
  removed_sites: installation.RemovedSiteRow
  day_receipts: days.DayReceiptRow
  expired_days: days.ExpiredDayRow
  gates: authority.GateRow
  contract_revisions: authority.ContractRevisionRow
  authority_assignments: authority.AuthorityAssignmentRow
  authority_interruptions: authority.AuthorityInterruptionRow
  ip_list_versions: identity.IpListVersionRow
  ip_list_loads: identity.IpListLoadRow
  issues: issues.IssueRow
  issue_evidence: issues.IssueEvidenceRow
  issue_members: issues.IssueMemberRow
  issue_changes: issues.IssueChangeRow
  intended_marks: issues.IntendedMarkRow
  impostor_refusals: issues.ImpostorRefusalRow
  nodes: nodes.NodeRow
  node_use: nodes.NodeUseRow
  turns: nodes.LockRow
  cloudflare_questions: sources.CloudflareQuestionRow
  jobs: Omit<jobs.JobRow, 'attempts'> & { attempts: Generated<number> }
  inspections: inspections.InspectionRow
  access_checks: accessChecks.AccessCheckRow
  robots_snapshots: inspections.RobotsSnapshotRow
  robots_bodies: inspections.RobotsBodyRow
  trackers: tracker.TrackerRow
  tracker_keys: tracker.TrackerKeyRow
  earlier_order_keys: tracker.EarlierOrderKeyRow
  tracker_pauses: tracker.TrackerPauseRow
  tracker_settings: Omit<tracker.TrackerSettingRow, 'honours_opt_out'> & { honours_opt_out: Generated<scalars.Truth> }
  collector_runs: tracker.CollectorRunRow
  collection_counts: tracker.CollectionCountRow
  development_counts: tracker.CollectionCountRow
  development_origins: tracker.DevelopmentOriginRow
  refused_evidence: tracker.RefusedEvidenceRow
  snippet_proofs: tracker.SnippetProofRow
  visitor_salts: tracker.VisitorSaltRow
  properties: tracker.PropertyRow
  conversions: tracker.ConversionRow
  conversion_revisions: tracker.ConversionRevisionRow
  funnels: tracker.FunnelRow
  funnel_revisions: tracker.FunnelRevisionRow
  alert_receivers: alerts.AlertReceiverRow
  alerts: alerts.AlertRow
  alert_deliveries: alerts.AlertDeliveryRow
  alerted_issues: alerts.AlertedIssueRow
  alert_conditions: alerts.AlertConditionRow
  pending_addresses: Omit<identity.PendingAddressRow, 'attempts'> & { attempts: Generated<number> }
}

export type * from './tables/access-checks.ts'
export type * from './tables/alerts.ts'
export type * from './tables/authority.ts'
export type * from './tables/brands.ts'
export type * from './tables/days.ts'
export type * from './tables/engines.ts'
export type * from './tables/fixes.ts'
export type * from './tables/identity.ts'
export type * from './tables/inspections.ts'
export type * from './tables/installation.ts'
export type * from './tables/intake.ts'
export type * from './tables/issues.ts'
export type * from './tables/jobs.ts'
export type * from './tables/nodes.ts'
export type * from './tables/people.ts'
export type * from './tables/scalars.ts'
export type * from './tables/sources.ts'
export type * from './tables/tracker.ts'
