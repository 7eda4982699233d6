/** Brands, their competitors, and the questions that engines are asked about them. */
import type { EpochMs, Truth } from './scalars.ts'

export interface BrandRow {
  id: string
  account_id: string
  /** Its roles decide who may read and change the brand; null: those of the account do (account API 1). */
  site_id: string | null
  name: string
  /** JSON array of text. */
  aliases: string
  /** JSON array of `AliasRule`, for the aliases that do not always count. */
  alias_rules: string
  /** JSON array of hosts, in lower case and punycode. */
  domains: string
  created_at: EpochMs
  /** Null: active. Brand operations of surface B do not see archived brands. */
  archived_at: EpochMs | null
}

export interface CompetitorRow {
  id: string
  brand_id: string
  name: string
  /** JSON array of text. */
  aliases: string
  /** JSON array of `AliasRule`, for the aliases that do not always count. */
  alias_rules: string
  /** JSON array of hosts. */
  domains: string
  created_at: EpochMs
}

export interface QuestionRow {
  id: string
  brand_id: string
  text: string
  /** The text as questions are compared (NFC, folded, trimmed) and the country, hashed; unique in a brand. */
  identity: string
  /** ISO 3166-1 alpha-2; null: none. */
  country: string | null
  /** JSON array of text. */
  tags: string
  /** Whether the text names the brand; judged again when the brand's names change. */
  is_branded: Truth
  created_at: EpochMs
  /** Null: active. */
  archived_at: EpochMs | null
}

/** The newest run of a question on an engine. */
export interface QuestionRunRow {
  question_id: string
  engine: string
  asked_at: EpochMs
  state: 'answered' | 'refused' | 'failed'
}

/** The answer to a batch of questions that was sent with an `Idempotency-Key`, kept for 72 hours (account API 2.4). */
export interface QuestionBatchRow {
  brand_id: string
  key: string
  body_sha256: string
  /** JSON. */
  answer: string
  created_at: EpochMs
}

/** An engine in an account's plan: configured, or an answer of it was stored, and not removed by an admin since. */
export interface PlanEngineRow {
  account_id: string
  engine: string
  is_configured: Truth
  has_answers: Truth
}

/** Which mentions of a brand's answers count; a brand without a row has stored none yet. */
export interface MentionVersionRow {
  brand_id: string
  version: number
  /** Of the names that they were found with: other names need a new version. */
  names_sha256: string
}
