import type { Generated } from 'kysely'
import type { AccessCheckRow } from './tables/access-checks.ts'
import type {
  AlertConditionRow,
  AlertDeliveryRow,
  AlertedIssueRow,
  AlertReceiverRow,
  AlertRow,
} from './tables/alerts.ts'
import type {
  AuthorityAssignmentRow,
  AuthorityInterruptionRow,
  ContractRevisionRow,
  GateRow,
} from './tables/authority.ts'
import type {
  BrandRow,
  CompetitorRow,
  MentionVersionRow,
  PlanEngineRow,
  QuestionBatchRow,
  QuestionRow,
  QuestionRunRow,
} from './tables/brands.ts'
import type { BuildRow, DayReceiptRow, DirtyDayRow, ExpiredDayRow, RetiredBuildRow } from './tables/days.ts'
import type { IpListLoadRow, IpListVersionRow, PendingAddressRow } from './tables/identity.ts'
import type { InspectionRow, RobotsBodyRow, RobotsSnapshotRow } from './tables/inspections.ts'
import type { RegistryVersionRow, RemovedSiteRow, SettingRow } from './tables/installation.ts'
import type { IntakeBatchRow, SourceTokenRow } from './tables/intake.ts'
import type {
  ImpostorRefusalRow,
  IntendedMarkRow,
  IssueChangeRow,
  IssueEvidenceRow,
  IssueMemberRow,
  IssueRow,
} from './tables/issues.ts'
import type { JobRow } from './tables/jobs.ts'
import type {
  AccountRow,
  AccountTokenRow,
  MemberRow,
  OneTimeLinkRow,
  PasswordRow,
  SessionRow,
  SignInTryRow,
  SiteKeyRow,
  SiteKeySiteRow,
  SiteRow,
  UserRow,
} from './tables/people.ts'
import type { Truth } from './tables/scalars.ts'
import type { SearchConnectionRow, SearchDayRow } from './tables/search-data.ts'
import type {
  CoverageIntervalRow,
  DeliveryRow,
  ExpiredCoverageRow,
  FailedHourRow,
  HourReadingRow,
  OpenDayWinnerRow,
  SenderRow,
  SenderSilenceRow,
  SourceRow,
  ZoneRow,
} from './tables/sources.ts'
import type {
  CollectionCountRow,
  CollectorRunRow,
  ConversionRevisionRow,
  ConversionRow,
  DevelopmentOriginRow,
  FunnelRevisionRow,
  FunnelRow,
  PropertyRow,
  RefusedEvidenceRow,
  SnippetProofRow,
  TrackerKeyRow,
  TrackerPauseRow,
  TrackerRow,
  TrackerSettingRow,
  VisitorSaltRow,
} from './tables/tracker.ts'

/**
 * The control store: what people decide and what the service must remember about evidence, but no evidence itself.
 * Column types are portable between SQLite and PostgreSQL: uuids and JSON as text, instants as epoch milliseconds,
 * booleans as 0 or 1.
 */
export interface ControlTables {
  accounts: Omit<AccountRow, 'access_ends_at' | 'active_question_limit'> & {
    access_ends_at: Generated<number | null>
    active_question_limit: Generated<number>
  }
  users: Omit<UserRow, 'account_role'> & { account_role: Generated<UserRow['account_role']> }
  account_tokens: AccountTokenRow
  brands: BrandRow
  competitors: CompetitorRow
  questions: QuestionRow
  question_runs: QuestionRunRow
  mention_versions: MentionVersionRow
  search_days: SearchDayRow
  search_connections: SearchConnectionRow
  question_batches: QuestionBatchRow
  plan_engines: PlanEngineRow
  passwords: PasswordRow
  one_time_links: OneTimeLinkRow
  sessions: SessionRow
  sign_in_tries: SignInTryRow
  sites: Omit<SiteRow, 'retention_days'> & { retention_days: Generated<number> }
  members: MemberRow
  site_keys: SiteKeyRow
  site_key_sites: SiteKeySiteRow
  sources: Omit<SourceRow, 'moved_to' | 'vantage'> & {
    moved_to: Generated<string | null>
    vantage: Generated<SourceRow['vantage']>
  }
  deliveries: DeliveryRow
  coverage_intervals: Omit<CoverageIntervalRow, 'sender' | 'sampling' | 'is_backfill' | 'silence_before_ms'> & {
    silence_before_ms: Generated<number>
    sender: Generated<string>
    sampling: Generated<number | null>
    is_backfill: Generated<Truth>
  }
  senders: Omit<SenderRow, 'retired_at'> & { retired_at: Generated<number | null> }
  open_day_winners: OpenDayWinnerRow
  failed_hours: FailedHourRow
  forgotten_watches: ExpiredCoverageRow
  sender_silences: SenderSilenceRow
  hour_readings: HourReadingRow
  zones: ZoneRow
  source_tokens: SourceTokenRow
  intake_batches: IntakeBatchRow
  dirty_days: DirtyDayRow
  builds: BuildRow
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
  ip_list_versions: IpListVersionRow
  ip_list_loads: IpListLoadRow
  issues: IssueRow
  issue_evidence: IssueEvidenceRow
  issue_members: IssueMemberRow
  issue_changes: IssueChangeRow
  intended_marks: IntendedMarkRow
  impostor_refusals: ImpostorRefusalRow
  jobs: Omit<JobRow, 'attempts'> & { attempts: Generated<number> }
  inspections: InspectionRow
  access_checks: AccessCheckRow
  robots_snapshots: RobotsSnapshotRow
  robots_bodies: RobotsBodyRow
  trackers: TrackerRow
  tracker_keys: TrackerKeyRow
  tracker_pauses: TrackerPauseRow
  tracker_settings: Omit<TrackerSettingRow, 'honours_opt_out'> & { honours_opt_out: Generated<Truth> }
  collector_runs: CollectorRunRow
  collection_counts: CollectionCountRow
  development_counts: CollectionCountRow
  development_origins: DevelopmentOriginRow
  refused_evidence: RefusedEvidenceRow
  snippet_proofs: SnippetProofRow
  visitor_salts: VisitorSaltRow
  properties: PropertyRow
  conversions: ConversionRow
  conversion_revisions: ConversionRevisionRow
  funnels: FunnelRow
  funnel_revisions: FunnelRevisionRow
  alert_receivers: AlertReceiverRow
  alerts: AlertRow
  alert_deliveries: AlertDeliveryRow
  alerted_issues: AlertedIssueRow
  alert_conditions: AlertConditionRow
  pending_addresses: Omit<PendingAddressRow, 'attempts'> & { attempts: Generated<number> }
}

export type * from './tables/access-checks.ts'
export type * from './tables/alerts.ts'
export type * from './tables/authority.ts'
export type * from './tables/brands.ts'
export type * from './tables/days.ts'
export type * from './tables/identity.ts'
export type * from './tables/inspections.ts'
export type * from './tables/installation.ts'
export type * from './tables/intake.ts'
export type * from './tables/issues.ts'
export type * from './tables/jobs.ts'
export type * from './tables/people.ts'
export type * from './tables/scalars.ts'
export type * from './tables/sources.ts'
export type * from './tables/tracker.ts'
