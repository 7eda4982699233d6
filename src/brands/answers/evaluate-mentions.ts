/**
 * Searches all stored answers of a brand again after its names changed, and switches to the result at once (account API
 * 4).
 */
import { decodeBrand, type FoundBrand } from '../find-brand.ts'
import { MentionFinder } from '../mentions/find-mentions.ts'
import { type AnswerPlace, answerTexts, classifiedMentions, deleteMentionsBefore } from './answers.sql.ts'
import { readMentionVersion, switchMentionVersion } from './mention-version.ts'
import { type AnswersContext, insertRows, mentionRow } from './store-answers.ts'
import { readTrackedNames, type TrackedNames } from './tracked-brands.ts'

const ANSWERS_AT_ONCE = 2_000

/** Every brand whose names changed since its mentions were found. Returns how many answers were searched. */
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
  /** Whose mentions count now, and whose are being made. */
  old_version: number
  new_version: number
}

/**
 * Brings the mentions of a brand up to its names; asks no engine. Mentions keep their sentiment where the same brand is
 * named in the same answer. Repeatable: a run that was broken off leaves rows of a version that does not count. Returns
 * how many answers were searched.
 */
export async function evaluateMentions(ctx: AnswersContext, brand: FoundBrand, signal: AbortSignal): Promise<number> {
  const tracked = await readTrackedNames(ctx.control.db, brand)
  const current = await readMentionVersion(ctx.control, brand)
  if (current === null || current.names_sha256 === tracked.names_sha256) return 0
  // A run that was broken off may have used the next number, for other names.
  const new_version = Math.max(current.version + 1, ctx.clock.now())
  const evaluation = { brand, tracked, old_version: current.version, new_version }
  const started_at = ctx.clock.now()
  const searched = await searchAnswers(ctx, evaluation, 0, signal)
  // Answers that came meanwhile belong to the old version: the lock keeps more from coming before the switch.
  await ctx.evidence.writeLock.run(async () => {
    await searchAnswers(ctx, evaluation, started_at, signal)
    const { names_sha256 } = tracked
    await switchMentionVersion(ctx.control, { brand_id: brand.id, version: new_version, names_sha256 })
  })
  await ctx.evidence.run(deleteMentionsBefore(brand, new_version))
  return searched
}

async function searchAnswers(
  { evidence }: AnswersContext,
  { brand, tracked, old_version, new_version }: Evaluation,
  from_revision: number,
  signal: AbortSignal,
): Promise<number> {
  const finder = new MentionFinder(tracked.brands)
  let searched = 0
  let after: AnswerPlace | null = null
  for (;;) {
    signal.throwIfAborted()
    const page: { day: string; answer_id: string; revision: number; text: string; cited_spans: string }[] =
      await evidence.all(answerTexts(brand, { after, from_revision, limit: ANSWERS_AT_ONCE }))
    const last = page.at(-1)
    if (last === undefined) return searched
    const ids = page.map(({ answer_id }) => answer_id)
    const classified = await evidence.all(classifiedMentions(brand, old_version, ids))
    const sentiments = new Map(classified.map((row) => [`${row.answer_id} ${row.tracked_id}`, row.sentiment]))
    const found = page.flatMap((answer) =>
      finder.find(answer.text, readSpans(answer.cited_spans)).map((mention) => ({
        day: answer.day,
        row: mentionRow(brand, answer, new_version, mention, sentiments.get(`${answer.answer_id} ${mention.id}`)),
      })),
    )
    for (const month of Map.groupBy(found, ({ day }) => day.slice(0, 7)).values()) {
      await insertRows(
        evidence,
        'answer_mentions',
        month.map(({ row }) => row),
      )
    }
    searched += page.length
    after = last
  }
}

const readSpans = (text: string) => (JSON.parse(text) as [number, number][]).map(([from, to]) => ({ from, to }))
