/** Answers of engines as surface B serves them (account API 2.1). */
import { instantText } from '#clock.ts'
import type { AnswerList, AnswerListInput, BrandAnswer } from '#contract/account-api/index.ts'
import { Refusal } from '#refusal.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import type { FoundBrand } from '../find-brand.ts'
import { InvalidRequest } from '../invalid-request.ts'
import { describeAnswers } from './describe-answers.ts'
import { readCurrentVersion } from './mention-version.ts'
import { questionsOf } from './question-filter.ts'
import { type AnswerFilter, answersOf, unfiltered } from './read-answers.sql.ts'
import type { AnswersContext } from './store-answers.ts'

interface AnswersOfBrand extends AnswersContext {
  brand: FoundBrand
}

export async function serveAnswers(ctx: AnswersOfBrand, input: AnswerListInput): Promise<AnswerList> {
  const { limit, ignored_parameters } = input
  const after = input.cursor === undefined ? null : readCursor(input.cursor, input)
  if (input.cursor !== undefined && after === null) throw foreignCursor()
  const filter = await filterOf(ctx, input)
  const found = await ctx.evidence.all(answersOf(filter, { after, limit: limit + 1, whole: false }))
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    meta: { as_of: instantText(ctx.clock.now()), filters: filtersInForce(input), ignored_parameters },
    answers: await describeAnswers(ctx, ctx.brand, filter.mentions_version, shown),
    limit,
    returned_count: shown.length,
    next_cursor: last === undefined ? null : writeCursor(input, { at: last.asked_ms, id: last.answer_id }),
  }
}

export async function serveAnswer(ctx: AnswersOfBrand, { answerId }: { answerId: string }): Promise<BrandAnswer> {
  const filter = { ...unfiltered(ctx.brand, await readCurrentVersion(ctx.control, ctx.brand)), answer_id: answerId }
  const found = await ctx.evidence.all(answersOf(filter, { after: null, limit: 1, whole: true }))
  const [answer] = await describeAnswers(ctx, ctx.brand, filter.mentions_version, found)
  if (answer === undefined) throw new Refusal('not_found', 'The brand has no answer with this id.')
  return answer
}

async function filterOf(ctx: AnswersOfBrand, input: AnswerListInput): Promise<AnswerFilter> {
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
      message: 'This cursor is of other filters: send it with the filters of the answer that it came with.',
    },
  ])
