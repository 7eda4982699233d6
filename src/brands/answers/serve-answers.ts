/** Answers of engines as surface B serves them (account API 2.1). */
import { DAY_MS, instantText } from '#clock.ts'
import type { AnswerList, AnswerListInput, BrandAnswer } from '#contract/account-api/index.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { type ListPlace, readCursor, writeCursor } from '../cursor.ts'
import type { FoundBrand } from '../find-brand.ts'
import { InvalidRequest } from '../invalid-request.ts'
import { describeAnswers } from './describe-answers.ts'
import { readCurrentVersion } from './mention-version.ts'
import { questionsOf } from './question-filter.ts'
import {
  type AnswerFilter,
  type AnswerKey,
  answerPlaces,
  answersAt,
  type StoredAnswerRow,
  unfiltered,
} from './read-answers.sql.ts'
import { withoutRemoved } from './removed-questions.ts'
import type { AnswersContext } from './store-answers.ts'

interface AnswersOfBrand extends AnswersContext {
  brand: FoundBrand
}

export async function serveAnswers(ctx: AnswersOfBrand, input: AnswerListInput): Promise<AnswerList> {
  const { limit, ignored_parameters } = input
  const after = input.cursor === undefined ? null : readCursor(input.cursor, input)
  if (input.cursor !== undefined && after === null) throw foreignCursor()
  const filter = await filterOf(ctx, input)
  let piece = await readPiece(ctx, filter, { after, limit })
  // Answers of removed questions are rare, so they are searched for only if some were found.
  if (piece.has_removed) piece = await readPiece(ctx, (await withoutRemoved(ctx, filter)).filter, { after, limit })
  const { answers, last } = piece
  return {
    meta: { as_of: instantText(ctx.clock.now()), filters: filtersInForce(input), ignored_parameters },
    answers,
    limit,
    returned_count: answers.length,
    next_cursor: last === null ? null : writeCursor(input, { at: last.asked_ms, id: last.answer_id }),
  }
}

/** One piece of the list; `last`: its last position, if more follow. */
async function readPiece(
  ctx: AnswersOfBrand,
  filter: AnswerFilter & { days: DayRange },
  { after, limit }: { after: ListPlace | null; limit: number },
): Promise<{ answers: BrandAnswer[]; last: Place | null; has_removed: boolean }> {
  const found = await findPlaces(ctx.evidence, filter, { after, limit: limit + 1 })
  const places = found.slice(0, limit)
  const shown = await readAnswers(ctx, places, { whole: false })
  const answers = await describeAnswers(ctx, ctx.brand, filter.mentions_version, shown)
  const last = found.length > limit ? places.at(-1) : undefined
  return { answers, last: last ?? null, has_removed: answers.length < places.length }
}

export async function serveAnswer(ctx: AnswersOfBrand, { answerId }: { answerId: string }): Promise<BrandAnswer> {
  const filter = { ...unfiltered(ctx.brand, await readCurrentVersion(ctx.control, ctx.brand)), answer_id: answerId }
  const places = await ctx.evidence.all(answerPlaces(filter, { after: null, limit: 1 }))
  const found = await readAnswers(ctx, places, { whole: true })
  const [answer] = await describeAnswers(ctx, ctx.brand, filter.mentions_version, found)
  if (answer === undefined) throw new Refusal('not_found', 'The brand has no answer with this id.')
  return answer
}

const FIRST_DAYS = 4

/** Searches a few days first, then more at once: most pieces of the list are in the newest remaining days. */
async function findPlaces(
  evidence: EvidenceStore,
  filter: AnswerFilter & { days: DayRange },
  { after, limit }: { after: ListPlace | null; limit: number },
): Promise<Place[]> {
  const { from, to } = filter.days
  const found: Place[] = []
  let last = after === null ? to : earlier(to, utcDay(after.at))
  for (let length = FIRST_DAYS; found.length < limit && last >= from; length *= FIRST_DAYS) {
    const first = later(from, utcDay(dayStart(last) - (length - 1) * DAY_MS))
    const days = { from: first, to: last }
    found.push(...(await evidence.all(answerPlaces({ ...filter, days }, { after, limit: limit - found.length }))))
    last = utcDay(dayStart(first) - DAY_MS)
  }
  return found
}

type Place = Row<ReturnType<typeof answerPlaces>>
const earlier = (a: string, b: string) => (a < b ? a : b)
const later = (a: string, b: string) => (a > b ? a : b)

/** Reads the texts of the answers of one piece only. */
async function readAnswers(
  { evidence, brand }: AnswersOfBrand,
  places: readonly AnswerKey[],
  choice: { whole: boolean },
): Promise<StoredAnswerRow[]> {
  return places.length === 0 ? [] : evidence.all(answersAt(brand, places, choice))
}

async function filterOf(ctx: AnswersOfBrand, input: AnswerListInput): Promise<AnswerFilter & { days: DayRange }> {
  return {
    ...unfiltered(ctx.brand, await readCurrentVersion(ctx.control, ctx.brand)),
    days: { from: input.from, to: input.to },
    engines: input.engines ?? null,
    country: input.country ?? null,
    question_ids: await questionsOf(ctx.control.db, ctx.brand, input),
    status: input.status ?? null,
    mentioned: input.mentioned ?? null,
    cited: input.cited ?? null,
  }
}

function filtersInForce(input: AnswerListInput): AnswerList['meta']['filters'] {
  const { from, to, engines = null, country = null, question_id = null } = input
  const { status = null, mentioned = null, cited = null, branded = null } = input
  return { from, to, engines, country, question_id, status, mentioned, cited, branded }
}

const foreignCursor = () =>
  new InvalidRequest([
    {
      path: ['cursor'],
      code: 'invalid_cursor',
      message: 'This cursor belongs to other filters: send it with the filters of the response that it came from.',
    },
  ])
