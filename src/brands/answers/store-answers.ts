/** Writes answers with their citations and mentions into the evidence store (account API 3, storage). */
import type { Clock } from '#clock.ts'
import type { Sentiment } from '#contract/vocabulary.ts'
import type { ControlStore } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { jsonRows, type RowValue } from '#evidence/rows/json-rows.ts'
import type { EvidenceStore, InsertTable } from '#evidence/store.ts'
import type { EngineUsage } from '../engines/engine-answer.ts'
import type { FoundBrand } from '../find-brand.ts'
import { type FoundMention, MentionFinder } from '../mentions/find-mentions.ts'
import type { TextSpan } from '../mentions/masked-spans.ts'
import type { AnswerRecord } from './answer-record.ts'
import { type AnswerToCount, countedRow } from './counted-row.ts'
import { startMentionVersion } from './mention-version.ts'
import { readTrackedNames } from './tracked-brands.ts'

export interface AnswersContext {
  control: ControlStore
  evidence: EvidenceStore
  clock: Clock
}

/** An answer as it is stored, from an import or an engine. */
export interface StorableAnswer extends Omit<AnswerRecord, 'question' | 'question_external_id' | 'tags' | 'usage'> {
  answer_id: string
  question_id: string
  content_sha256: string
  /** Of the stored answer that it replaces; missing or null: it is new. */
  replaced_revision?: number | null
  /** Null: unknown, or no country was asked for. */
  country_applied: boolean | null
  cited_spans: readonly TextSpan[]
  cost_basis: 'billed' | 'estimated' | 'imported' | null
  usage?: EngineUsage | null
  /** The sentiment of mentions of tracked brands, by their ids; missing: unknown. */
  sentiments?: Readonly<Record<string, Sentiment>>
}

type Row = RowValue[]
/** In the order in which they are written. */
const TABLES = ['answer_citations', 'answer_mentions', 'answers', 'counted_answers'] as const
type AnswerRows = Record<(typeof TABLES)[number], Row[]>

/**
 * Stores answers; the same ids replace stored ones. The counted row of an answer is written last: after a crash, an
 * answer without it does not count, and is stored again when its import is repeated.
 */
export async function storeEngineAnswers(
  ctx: AnswersContext,
  brand: FoundBrand,
  answers: readonly StorableAnswer[],
): Promise<void> {
  const byMonth = Map.groupBy(answers, ({ asked_at }) => utcDay(asked_at).slice(0, 7))
  await ctx.evidence.writeLock.run(async () => {
    const tracked = await readTrackedNames(ctx.control.db, brand)
    const version = await startMentionVersion(ctx.control, brand, tracked)
    const finder = new MentionFinder(tracked.brands)
    // Within the lock, by the clock of all nodes: who searches the answers anew compares it with their own instant. The
    // clock may have been set back since a replaced answer was stored.
    const replaced = answers.flatMap(({ replaced_revision = null }) =>
      replaced_revision === null ? [] : [replaced_revision],
    )
    const revision = replaced.reduce((most, each) => Math.max(most, each + 1), ctx.clock.shared())
    for (const month of byMonth.values()) {
      const found: AnswerRows = { answers: [], answer_citations: [], answer_mentions: [], counted_answers: [] }
      for (const answer of month) {
        addRows(found, brand, answer, revision)
        const named = answer.state === 'answered' ? finder.find(answer.text ?? '', answer.cited_spans) : []
        const mentions = named.map((one) => ({ ...one, sentiment: answer.sentiments?.[one.id] ?? 'unknown' }))
        const of = countedAnswer(answer, revision)
        found.answer_mentions.push(...mentions.map((mention) => mentionRow(brand, of, version, mention)))
        found.counted_answers.push(countedRow(brand, version, of, mentions))
      }
      for (const table of TABLES) await insertRows(ctx.evidence, table, found[table])
    }
  })
}

export async function insertRows(evidence: EvidenceStore, table: InsertTable, rows: readonly Row[]): Promise<void> {
  if (rows.length > 0) await evidence.insert(table, jsonRows(rows), rows.length)
}

/** The answer that contains a mention. */
export interface MentionedIn {
  day: string
  answer_id: string
  revision: number
}

/** A row of `answer_mentions`. */
export const mentionRow = (
  brand: Pick<FoundBrand, 'id' | 'account_id'>,
  { day, answer_id, revision }: MentionedIn,
  version: number,
  { id, position, offset, occurrences, sentiment }: FoundMention & { sentiment: string },
): Row => [
  brand.account_id,
  brand.id,
  day,
  answer_id,
  String(revision),
  String(version),
  id,
  id === brand.id ? 1 : 0,
  position,
  offset,
  occurrences,
  sentiment,
]

const countedAnswer = (answer: StorableAnswer, revision: number): AnswerToCount => ({
  day: utcDay(answer.asked_at),
  answer_id: answer.answer_id,
  revision,
  question_id: answer.question_id,
  engine: answer.engine,
  surface: answer.surface,
  model: answer.model,
  asked_at: instantOf(answer.asked_at),
  country: answer.country,
  country_applied: truth(answer.country_applied),
  state: answer.state,
  web_search: answer.web_search,
  citations_observed: answer.citations === null ? 0 : 1,
  citations: answer.citations ?? [],
})

function addRows(found: AnswerRows, brand: FoundBrand, answer: StorableAnswer, revision: number): void {
  const { citations, cited_spans, cost, failure } = answer
  const key = [brand.account_id, brand.id, utcDay(answer.asked_at), answer.answer_id, String(revision)]
  found.answers.push([
    ...key,
    answer.question_id,
    answer.engine,
    answer.surface,
    answer.provider,
    answer.model,
    answer.language,
    answer.persona,
    answer.run,
    instantOf(answer.asked_at),
    answer.asked_at_precision,
    answer.country,
    truth(answer.country_applied),
    answer.state,
    failure?.code ?? null,
    failure?.message ?? null,
    answer.web_search,
    answer.text,
    answer.text_truncated ? 1 : 0,
    JSON.stringify(cited_spans.map(({ from, to }) => [from, to])),
    jsonOf(answer.search_queries),
    citations === null ? 0 : 1,
    jsonOf(answer.sources),
    jsonOf(answer.reported_mentions),
    cost === null ? null : String(cost.amount_micros),
    cost?.currency ?? null,
    cost === null ? null : answer.cost_basis,
    answer.source_tool,
    answer.external_id,
    answer.content_sha256,
  ])
  for (const { position, url, domain, title, resolved, span_count } of citations ?? []) {
    found.answer_citations.push([...key, position, url, domain, title, resolved, span_count])
  }
}

/** Within a list, half of a surrogate pair would be an escape, which the store keeps and strict readers refuse. */
const jsonOf = (list: readonly unknown[] | null) => (list === null ? null : JSON.stringify(list, wellFormed))
const wellFormed = (_name: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)
const truth = (value: boolean | null) => (value === null ? null : Number(value))
const instantOf = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
