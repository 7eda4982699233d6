/** Engines of an account, their budgets, and the scans in which they are asked (account API 3). */
import type { EpochMs, Truth } from './scalars.ts'

/** Null in a setting: the default of the engine. Money is in millionths of a US dollar. */
export interface EngineSettingRow {
  account_id: string
  engine: string
  is_enabled: Truth
  /** Sealed for this account and engine. */
  sealed_key: string | null
  base_url: string | null
  model: string | null
  max_output_tokens: number | null
  /** Calls that may run side by side, over all processes. */
  at_once: number
  /** Per million tokens. */
  input_price_micros: number | null
  output_price_micros: number | null
  /** Per thousand searches. */
  search_price_micros: number | null
  /** Of each calendar month, UTC. */
  budget_calls: number
  budget_micros: number
  terms_accepted_at: EpochMs | null
  /** Why the last call says that no call can succeed: bad_key, no_credit or model_unknown. */
  fault: string | null
  fault_at: EpochMs | null
  /** The provider asked to wait until then. */
  paused_until: EpochMs | null
}

/** What an engine used in a calendar month (`YYYY-MM`, UTC). */
export interface EngineMonthRow {
  account_id: string
  engine: string
  month: string
  calls: number
  /** Set aside for calls that run. */
  reserved_micros: number
  spent_micros: number
  /** Calls whose cost is known or estimated from their usage, for the mean. */
  priced_calls: number
  priced_micros: number
  greatest_micros: number
}

/** One request to an engine: stored before it is sent, so that it is sent at most once. */
export interface EngineCallRow {
  id: string
  account_id: string
  engine: string
  month: string
  purpose: 'answer' | 'sentiment' | 'test'
  /** The run of a scan that it belongs to; null for a test. */
  scan_id: string | null
  question_id: string | null
  run_engine: string | null
  run: number | null
  try: number
  reserved_micros: number
  /** What it counts when its end stays unknown. */
  estimate_micros: number
  begun_at: EpochMs
  /** Without an end by then its process has ended. */
  lease_until: EpochMs
  ended_at: EpochMs | null
  /** `answered`, or the code of a refusal or failure. */
  outcome: string | null
  cost_micros: number | null
  /** Of a stored answer whose mentions are classified; null otherwise. */
  classification_id: string | null
  answer_id: string | null
}

export interface ScanScheduleRow {
  brand_id: string
  /** UTC; scans begin within this hour. */
  hour: number
  /** Of each question and engine. */
  runs: number
  is_paused: Truth
  /** No scan was due before. */
  since: EpochMs
}

export interface ScanRow {
  id: string
  brand_id: string
  cause: 'schedule' | 'person'
  /** UTC day of its beginning. */
  day: string
  /** Brand and day of a scheduled scan, so that each day has one; null: a person started it. */
  schedule_key: string | null
  state: 'running' | 'ended' | 'cancelled'
  started_at: EpochMs
  ended_at: EpochMs | null
}

/** One question that a scan asks one engine. */
export interface ScanRunRow {
  scan_id: string
  question_id: string
  engine: string
  /** From 1. */
  run: number
  state: 'waiting' | 'asking' | 'answered' | 'refused' | 'failed' | 'not_run'
  /** Why it is refused, failed or not_run; of a waiting one: why the last try failed. */
  code: string | null
  tries: number
  due_at: EpochMs
  first_asked_at: EpochMs | null
  ended_at: EpochMs | null
  /** A StorableAnswer as JSON until it is in the evidence store. */
  pending_answer: string | null
}

export interface SentimentSettingRow {
  account_id: string
  engine: string
  /** When an admin accepted that texts of answers go to this engine. */
  accepted_at: EpochMs
}

/** Classifying the stored mentions of a brand, as a person started it. */
export interface ClassificationRow {
  id: string
  brand_id: string
  engine: string
  state: 'running' | 'ended' | 'cancelled'
  /** Why it ended. */
  code: string | null
  /** Answers that were to be asked about when it began. */
  answers: number
  asked: number
  /** Answers of which something was learned. */
  classified: number
  /** What the person agreed to. */
  at_most_micros: number
  spent_micros: number
  /** The last answer that was looked at; the newest days come first. */
  after_day: string | null
  after_answer: string | null
  started_at: EpochMs
  ended_at: EpochMs | null
}
