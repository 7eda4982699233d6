/** Deprecated routes, answered by the operations that replace them (account API 2.6). */
import type { Caller } from '#accounts/caller.ts'
import {
  type DeprecatedInput,
  type DeprecatedOperation,
  MAX_DEPRECATED_ITEMS,
} from '#contract/account-api/deprecated.ts'
import type { AnswerList, BrandReport, Fix, UrlReport } from '#contract/account-api/index.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { Implementations } from '#implementation.ts'
import { serveAnswers } from './answers/serve-answers.ts'
import type { AccountApiContext } from './context.ts'
import { defaultInterval } from './day-range.ts'
import type { FoundBrand } from './find-brand.ts'
import { changeFix, type FixAction } from './fixes/change-fix.ts'
import { describeFix } from './fixes/read-fixes.ts'
import { serveReport } from './reports/serve-report.ts'
import { serveUrlReport } from './urls/serve-urls.ts'

interface Context extends CrawlerContext {
  brand: FoundBrand
  caller: Caller
}

export const deprecatedImplementations: Implementations<DeprecatedOperation, AccountApiContext> = {
  listVisibility: async (ctx, input) =>
    asItems(input, await seriesOf(ctx, input), ({ visibility, average_position }) => ({
      visibility,
      average_position,
    })),
  listSentiment: async (ctx, input) =>
    asItems(input, await seriesOf(ctx, input), ({ net_sentiment }) => ({ net_sentiment })),
  async listMentions(ctx, input) {
    const items = await readParts(ctx, input, (answer) =>
      answer.mentions.map((mention) => ({ ...placeOf(answer), mention })),
    )
    return envelope(input, items)
  },
  async listCitations(ctx, input) {
    const items = await readParts(ctx, input, (answer) =>
      (answer.citations ?? []).map((citation) => ({ ...placeOf(answer), citation })),
    )
    return envelope(input, items)
  },
  async listPages(ctx, input) {
    const asked = { ...input, dimension: 'url', source: 'own', limit: MAX_DEPRECATED_ITEMS, offset: 0 } as const
    const { rows, truncated } = await serveUrlReport(ctx, asked)
    const items = rows.filter((row): row is Extract<UrlReport['rows'][number], { url: string }> => 'url' in row)
    return { ...envelope(input, items), truncated }
  },
  changeFixInBody: (ctx, { id, status }) => move(ctx, id, status),
  changeFixInPath: (ctx, { id, status }) => move(ctx, id, status),
}

const ACTIONS = { accepted: 'accept', completed: 'complete', dismissed: 'dismiss' } as const satisfies Record<
  string,
  FixAction
>

async function move(ctx: Context, fix_id: string, status: keyof typeof ACTIONS): Promise<Fix> {
  return describeFix(
    await changeFix(ctx, { brand: ctx.brand, fix_id, action: ACTIONS[status], version: null, reason: null }),
  )
}

async function seriesOf(ctx: Context, input: DeprecatedInput): Promise<BrandReport['series']> {
  const interval = defaultInterval({ from: input.from, to: input.to })
  return (await serveReport(ctx, { ...input, interval, compare: 'none' })).series
}

function asItems<T>(
  input: DeprecatedInput,
  series: BrandReport['series'],
  pick: (metrics: BrandReport['metrics']) => T,
) {
  const items = series.map(({ from, to, engine, state, metrics }) => ({ from, to, engine, state, ...pick(metrics) }))
  return envelope(input, items)
}

type Answer = AnswerList['answers'][number]

const placeOf = ({ id, question, engine, asked_at }: Answer) => ({
  answer_id: id,
  question_id: question.id,
  engine,
  asked_at,
})

/** Pieces of the newest answers: as many as are shown, and one more. */
async function readParts<T>(ctx: Context, input: DeprecatedInput, partsOf: (answer: Answer) => T[]): Promise<T[]> {
  const parts: T[] = []
  let cursor: string | null = null
  do {
    const asked = { ...input, limit: MAX_DEPRECATED_ITEMS, ...(cursor === null ? {} : { cursor }) }
    const page: AnswerList = await serveAnswers(ctx, asked)
    parts.push(...page.answers.flatMap(partsOf))
    cursor = page.next_cursor
  } while (cursor !== null && parts.length <= MAX_DEPRECATED_ITEMS)
  return parts
}

const envelope = <T>({ brandId, from, to }: DeprecatedInput, items: readonly T[]) => ({
  brand_id: brandId,
  from,
  to,
  items: items.slice(0, MAX_DEPRECATED_ITEMS),
  truncated: items.length > MAX_DEPRECATED_ITEMS,
})
