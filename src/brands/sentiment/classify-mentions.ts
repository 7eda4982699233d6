/** Asks the chosen engine about unclassified mentions, up to the price that a person agreed to (account API 4). */
import type { ClassificationCode, Sentiment } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { ClassificationRow, EngineCallRow } from '#control/tables.ts'
import { answerTextsAt, citedPages, type StoredText } from '../answers/answers.sql.ts'
import { countedRow } from '../answers/counted-row.ts'
import { MENTION_VERSIONS, readMentionVersion } from '../answers/mention-version.ts'
import { type AnswerKey, mentionsOf } from '../answers/read-answers.sql.ts'
import { insertRows, mentionRow } from '../answers/store-answers.ts'
import { readTrackedNames } from '../answers/tracked-brands.ts'
import { beginCall, hasFreePlace } from '../engines/budget.ts'
import { isPaused } from '../engines/settings.ts'
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import type { ScanContext } from '../scans/context.ts'
import { endClassification, expectMicros, sendable } from './classifications.ts'
import { askClassifier, type Classifier, findClassifier } from './classifier.ts'
import { unclassifiedPlaces } from './unclassified.sql.ts'

/** The number of answers that one statement reads. */
const PLACES_AT_ONCE = 50
const FAULTS = ['bad_key', 'no_credit', 'model_unknown'] as const

/** The next step after a batch: another one, a pause until the next run of the job, or the end. */
type Next = 'more' | 'later' | ClassificationCode

/** Continues every running classification. Returns the number of answers that were asked about. */
export async function classifyMentions(ctx: ScanContext, signal: AbortSignal): Promise<number> {
  const running = await ctx.control.db
    .selectFrom('classifications')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('started_at')
    .execute()
  let asked = 0
  for (const { id, brand_id } of running) {
    const stored = await ctx.control.db.selectFrom('brands').selectAll().where('id', '=', brand_id).executeTakeFirst()
    if (stored === undefined) continue
    const brand = decodeBrand(stored)
    for (let next: Next = 'more'; next === 'more'; ) {
      signal.throwIfAborted()
      // A search with new names would copy labels from mentions that are being classified.
      const piece = await MENTION_VERSIONS.run(() => classifyPiece(ctx, brand, id, signal))
      asked += piece.asked
      next = piece.next
      if (next !== 'more' && next !== 'later') await endClassification(ctx, brand, next)
    }
  }
  return asked
}

interface Piece {
  brand: FoundBrand
  chosen: Classifier
  classification_id: string
  version: number
  names: ReadonlyMap<string, string>
  each_micros: number
}

async function classifyPiece(
  ctx: ScanContext,
  brand: FoundBrand,
  classification_id: string,
  signal: AbortSignal,
): Promise<{ asked: number; next: Next }> {
  const row = await findRunning(ctx, classification_id)
  if (row === null) return { asked: 0, next: 'later' }
  const chosen = await findClassifier(ctx.control, brand.account_id)
  if (chosen === null || chosen.settings.engine !== row.engine) return { asked: 0, next: 'engine_off' }
  const { at_once } = chosen.settings
  const current = await readMentionVersion(ctx.control, brand)
  const tracked = await readTrackedNames(ctx.control.db, brand)
  // After names have changed, mentions are searched again first.
  if (isPaused(chosen.settings, ctx.clock.now()) || current === null || current.names_sha256 !== tracked.names_sha256)
    return { asked: 0, next: 'later' }
  const filter = sendable(brand, current.version)
  const { after_day, after_answer } = row
  const after = after_day === null || after_answer === null ? null : { day: after_day, answer_id: after_answer }
  const places = await ctx.evidence.all(unclassifiedPlaces(filter, { after, limit: PLACES_AT_ONCE }))
  const piece: Piece = {
    brand,
    chosen,
    classification_id,
    version: current.version,
    names: new Map(tracked.brands.flatMap(({ id, names: [first] }) => (first === undefined ? [] : [[id, first.text]]))),
    each_micros: await expectMicros(ctx.control.db, chosen),
  }
  let asked = 0
  for (let at = 0; at < places.length; at += at_once) {
    const outcome = await classifyAnswers(ctx, piece, places.slice(at, at + at_once), signal)
    asked += outcome.asked
    if (outcome.next !== 'more') return { asked, next: outcome.next }
  }
  return { asked, next: places.length < PLACES_AT_ONCE ? 'done' : 'more' }
}

type StoredMention = Parameters<typeof mentionRow>[3] & { revision: number; answer_id: string }

/** Asks about some answers concurrently, and stores the results before it continues. */
async function classifyAnswers(
  ctx: ScanContext,
  piece: Piece,
  places: readonly AnswerKey[],
  signal: AbortSignal,
): Promise<{ asked: number; next: Next }> {
  const { evidence } = ctx
  const { brand, version } = piece
  const texts = await evidence.all(answerTextsAt(brand, places))
  const stored = (await evidence.all(mentionsOf(brand, version, places))).map((mention) => ({
    ...mention,
    id: mention.tracked_id,
    offset: mention.text_offset,
  }))
  const results = await Promise.all(
    texts.map((answer) => {
      const mentions = stored.filter((one) => one.answer_id === answer.answer_id && one.revision === answer.revision)
      return classifyAnswer(ctx, piece, { answer, mentions }, signal)
    }),
  )
  await store(ctx, piece, results)
  const asked = results.filter(({ call }) => call !== null).length
  const stop = results.find(({ next }) => next !== 'more')?.next ?? 'more'
  // An answer that was not sent is found again: by the next run of the job, or by another classification.
  const after = stop === 'later' ? undefined : places.at(-1)
  await note(ctx, piece, { asked, classified: results.filter(isLearned).length, after })
  return { asked, next: stop }
}

interface Result {
  answer: StoredText
  /** The rows to store. */
  mentions: StoredMention[]
  /** Null: nothing was sent. */
  call: EngineCallRow | null
  words: readonly Sentiment[]
  next: Next
}

const isLearned = ({ words }: Result) => words.some((word) => word !== 'unknown')

async function classifyAnswer(
  ctx: ScanContext,
  piece: Piece,
  { answer, mentions }: { answer: StoredText; mentions: StoredMention[] },
  signal: AbortSignal,
): Promise<Result> {
  const open = mentions.filter(({ id, sentiment }) => sentiment === 'unknown' && piece.names.has(id))
  const unasked = (next: Next): Result => ({ answer, mentions, call: null, words: [], next })
  if (open.length === 0 || answer.text === null) return unasked('more')
  const call = await ctx.control.transaction((trx) => begin(trx, piece, answer, ctx.clock.now()))
  if (typeof call === 'string') return unasked(call)
  const names = open.map(({ id }) => String(piece.names.get(id)))
  const { words, outcome } = await askClassifier(ctx, piece.chosen, { call, text: answer.text, names }, signal)
  const said = new Map(open.map(({ id }, at) => [id, words[at] ?? 'unknown']))
  const fault = FAULTS.find((code) => code === outcome)
  return {
    answer,
    call,
    words,
    next: fault ?? (['rate_limited', 'overloaded'].includes(outcome) ? 'later' : 'more'),
    mentions: mentions.map((mention) => ({ ...mention, sentiment: said.get(mention.id) ?? mention.sentiment })),
  }
}

/** The call, or why none is made. An answer is sent at most once in a classification, whatever the result. */
async function begin(
  trx: ControlTransaction,
  { chosen, classification_id, each_micros }: Piece,
  { answer_id, question_id }: StoredText,
  now: number,
): Promise<EngineCallRow | Next> {
  const row = await trx.selectFrom('classifications').selectAll().where('id', '=', classification_id).executeTakeFirst()
  if (row === undefined || row.state !== 'running') return 'later'
  const question = await trx.selectFrom('questions').select('id').where('id', '=', question_id).executeTakeFirst()
  // Answers of a removed question are not sent.
  if (question === undefined) return 'more'
  const calls = trx.selectFrom('engine_calls').where('classification_id', '=', classification_id)
  const before = await calls.select('id').where('answer_id', '=', answer_id).executeTakeFirst()
  if (before !== undefined) return 'more'
  const { spent, begun, ended } = await calls
    .select(({ fn }) => [fn.sum('cost_micros').as('spent'), fn.countAll().as('begun')])
    .select(({ fn }) => fn.count('cost_micros').as('ended'))
    .executeTakeFirstOrThrow()
  const expected = (Number(begun) - Number(ended) + 1) * each_micros
  if (Number(spent) + expected > row.at_most_micros) return 'price_reached'
  const place = {
    purpose: 'sentiment' as const,
    scan_id: null,
    question_id,
    run_engine: null,
    run: null,
    try: 1,
    classification_id,
    answer_id,
  }
  const { adapter, settings } = chosen
  if (!(await hasFreePlace(trx, settings))) return 'later'
  const call = await beginCall(trx, { adapter, row: settings, place, now })
  return call === 'never' ? 'budget_used' : call
}

/** Replaces rows by the same ones with their sentiments; the counted row of an answer is written last. */
async function store({ evidence }: ScanContext, { brand, version }: Piece, results: readonly Result[]): Promise<void> {
  const learned = results.filter(isLearned)
  if (learned.length === 0) return
  const keys = learned.map(({ answer }) => answer)
  const cited = await evidence.all(citedPages(brand, keys))
  await evidence.writeLock.run(async () => {
    for (const of_month of Map.groupBy(learned, ({ answer }) => answer.day.slice(0, 7)).values()) {
      const mentions = of_month.flatMap((one) =>
        one.mentions.map((mention) => mentionRow(brand, one.answer, version, mention)),
      )
      await insertRows(evidence, 'answer_mentions', mentions)
      const counted = of_month.map(({ answer, mentions: named }) => {
        const isOf = (page: { answer_id: string; revision: number }) =>
          page.answer_id === answer.answer_id && page.revision === answer.revision
        return countedRow(brand, version, { ...answer, citations: cited.filter(isOf) }, named)
      })
      await insertRows(evidence, 'counted_answers', counted)
    }
  })
}

async function findRunning({ control }: ScanContext, id: string): Promise<ClassificationRow | null> {
  const row = await control.db
    .selectFrom('classifications')
    .selectAll()
    .where((is) => is.and({ id, state: 'running' }))
    .executeTakeFirst()
  return row === undefined ? null : row
}

/** Stores the progress of the classification, for people and for the next run. */
async function note(
  { control }: ScanContext,
  { classification_id: id }: Piece,
  { asked, classified, after }: { asked: number; classified: number; after: AnswerKey | undefined },
): Promise<void> {
  await control.transaction(async (trx) => {
    const { spent } = await trx
      .selectFrom('engine_calls')
      .select(({ fn }) => fn.sum('cost_micros').as('spent'))
      .where('classification_id', '=', id)
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('classifications')
      .set(({ eb, ref }) => ({
        asked: eb(ref('asked'), '+', asked),
        classified: eb(ref('classified'), '+', classified),
        spent_micros: Number(spent),
        ...(after === undefined ? {} : { after_day: after.day, after_answer: after.answer_id }),
      }))
      .where('id', '=', id)
      .execute()
  })
}
