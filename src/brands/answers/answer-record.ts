/** One imported answer: the record that files hold, checked field by field (account API 3, imports). */
import type { Engine, Sentiment } from '#contract/vocabulary.ts'
import type { CitedPage } from '../engines/citation-url.ts'
import type { EngineUsage } from '../engines/engine-answer.ts'

/** Why one record is refused. The rest of its file is still read. */
export type RecordFaultCode =
  | 'unreadable'
  | 'missing'
  | 'invalid'
  | 'too_long'
  | 'invalid_date'
  | 'future_date'
  | 'unknown_engine'
  | 'unknown_question'
  | 'changed'

export class RecordFault extends Error {
  readonly code: RecordFaultCode
  constructor(code: RecordFaultCode, message: string) {
    super(message)
    this.name = 'RecordFault'
    this.code = code
  }
}

export interface ImportedCitation extends CitedPage {
  position: number
  span_count: number
}

/** Mentions that another tool found. They are shown beside Spoor's own mentions, never mixed with them. */
export interface ReportedMention {
  name: string
  own: boolean | null
  position: number | null
  count: number | null
  sentiment: Sentiment
}

export interface AnswerRecord {
  source_tool: string | null
  external_id: string | null
  question: string
  question_external_id: string | null
  country: string | null
  language: string | null
  tags: readonly string[]
  persona: string | null
  engine: Engine
  surface: 'consumer_ui' | 'api' | 'import'
  provider: string | null
  model: string | null
  /** Epoch milliseconds; midnight UTC where only the day is known. */
  asked_at: number
  asked_at_precision: 'instant' | 'day'
  /** From 1; null: runs are not distinguished. */
  run: number | null
  state: 'answered' | 'refused' | 'failed'
  failure: { code: string; message: string } | null
  text: string | null
  text_truncated: boolean
  web_search: 'used' | 'not_used' | 'unknown'
  /** Null here and below: unknown; empty: the file states that there were none. */
  search_queries: readonly string[] | null
  citations: readonly ImportedCitation[] | null
  sources: readonly CitedPage[] | null
  reported_mentions: readonly ReportedMention[] | null
  cost: { amount_micros: number; currency: string } | null
  usage: EngineUsage | null
}
