/**
 * Searches all stored answers of a brand again after its names have changed, and switches to the result in one step
 * (account API 4).
 */
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import { MentionFinder } from '../mentions/find-mentions.ts'
import { judgeKinds } from '../questions/judge-kinds.ts'
import {
  answerTexts,
  citedPages,
  classifiedMentions,
  countedBefore,
  deleteVersionsBefore,
  type StoredText,
} from './answers.sql.ts'
import { countedRow } from './counted-row.ts'
import { MENTION_VERSIONS, readMentionVersion, switchMentionVersion } from './mention-version.ts'
import type { AnswerKey } from './read-answers.sql.ts'
import { type AnswersContext, insertRows, mentionRow } from './store-answers.ts'
import { readTrackedNames, type TrackedNames } from './tracked-brands.ts'

const ANSWERS_AT_ONCE = 2_000

/** Searches for every brand whose names changed since its mentions were found. Returns the number of answers. */
export async function evaluateAllMentions(ctx: AnswersContext, signal: AbortSignal): Promise<number> {
  const brands = await ctx.control.db
    .selectFrom('brands')
    .innerJoin('mention_versions', 'mention_versions.brand_id', 'brands.id')
    .selectAll('brands')
    .orderBy('brands.id')
    .execute()
  let searched = 0
  for (const brand of brands) searched += await evaluateMentions(ctx, decodeBrand(brand), signal)
  return searched
}

interface Evaluation {
  brand: FoundBrand
  tracked: TrackedNames
  /** The version whose mentions are in use, and the version that is being made. */
  old_version: number
  new_version: number
}

/**
 * Updates the mentions of a brand to its names, without asking an engine. Mentions keep their sentiment if the same
 * brand is named in the same answer. Repeatable: an aborted run leaves rows of a version that is not in use. Returns
 * the number of searched answers.
 */
export function evaluateMentions(ctx: AnswersContext, brand: FoundBrand, signal: AbortSignal): Promise<number> {
  return MENTION_VERSIONS.run(() => evaluate(ctx, brand, signal))
}

async function evaluate(ctx: AnswersContext, brand: FoundBrand, signal: AbortSignal): Promise<number> {
  const tracked = await readTrackedNames(ctx.control.db, brand)
  const current = await readMentionVersion(ctx.control, brand)
  if (current === null) return 0
  // Readers of the previous version have ended by now.
  await deleteBefore(ctx, brand, current.version)
  if (current.names_sha256 === tracked.names_sha256) return 0
  // An aborted run may have used the next number for other names.
  const new_version = Math.max(current.version + 1, ctx.clock.now())
  const evaluation = { brand, tracked, old_version: current.version, new_version }
  // Under the lock: an import that is being stored has an earlier revision, and what it stores is seen from here on.
  const started_at = await ctx.evidence.writeLock.run(async () => ctx.clock.shared())
  const searched = await searchAnswers(ctx, evaluation, 0, signal)
  // Answers that were stored meanwhile belong to the old version. The lock prevents more before the switch.
  await ctx.evidence.writeLock.run(async () => {
    await searchAnswers(ctx, evaluation, started_at, signal)
    const { names_sha256 } = tracked
    await switchMentionVersion(ctx.control, { brand_id: brand.id, version: new_version, names_sha256 })
  })
  await judgeKindsAgain(ctx, brand)
  return searched
}

/**
 * The kinds of questions were judged when names changed; an update may have changed the rules. By the names of now:
 * `brand` may have been read before they changed, while other brands were searched for.
 */
async function judgeKindsAgain({ control }: AnswersContext, { id }: FoundBrand): Promise<void> {
  await control.transaction(async (trx) => {
    const row = await trx.selectFrom('brands').selectAll().where('id', '=', id).executeTakeFirst()
    if (row !== undefined) await judgeKinds(trx, id, decodeBrand(row))
  })
}

async function searchAnswers(
  { evidence }: AnswersContext,
  { brand, tracked, old_version, new_version }: Evaluation,
  from_revision: number,
  signal: AbortSignal,
): Promise<number> {
  const finder = new MentionFinder(tracked.brands)
  let searched = 0
  let after: AnswerKey | null = null
  for (;;) {
    signal.throwIfAborted()
    const page: StoredText[] = await evidence.all(answerTexts(brand, { after, from_revision, limit: ANSWERS_AT_ONCE }))
    const last = page.at(-1)
    if (last === undefined) return searched
    const classified = await evidence.all(classifiedMentions(brand, old_version, page))
    const sentiments = new Map(classified.map((row) => [`${row.answer_id} ${row.tracked_id}`, row.sentiment]))
    const citations = Map.groupBy(await evidence.all(citedPages(brand, page)), revisionKey)
    const found = page.map((answer) => {
      const named = answer.text === null ? [] : finder.find(answer.text, readSpans(answer.cited_spans))
      const mentions = named.map((one) => ({
        ...one,
        sentiment: sentiments.get(`${answer.answer_id} ${one.id}`) ?? 'unknown',
      }))
      return {
        month: answer.day.slice(0, 7),
        mentions: mentions.map((mention) => mentionRow(brand, answer, new_version, mention)),
        counted: countedRow(
          brand,
          new_version,
          { ...answer, citations: citations.get(revisionKey(answer)) ?? [] },
          mentions,
        ),
      }
    })
    for (const month of Map.groupBy(found, (answer) => answer.month).values()) {
      const mentions = month.flatMap((answer) => answer.mentions)
      await insertRows(evidence, 'answer_mentions', mentions)
      const counted = month.map((answer) => answer.counted)
      await insertRows(evidence, 'counted_answers', counted)
    }
    searched += page.length
    after = last
  }
}

/** Deletes the rows of versions that are no longer in use. */
async function deleteBefore({ evidence }: AnswersContext, brand: FoundBrand, version: number): Promise<void> {
  const [old] = await evidence.all(countedBefore(brand, version))
  if (old === undefined || old.answers === 0) return
  for (const command of deleteVersionsBefore(brand, version)) await evidence.run(command)
}

const revisionKey = ({ answer_id, revision }: { answer_id: string; revision: number }) => `${answer_id} ${revision}`

const readSpans = (text: string) => (JSON.parse(text) as [number, number][]).map(([from, to]) => ({ from, to }))
