/** Routes of before the report, the URL report and the actions on fixes (spec 9.6, account API 2.6). */
import Type from 'typebox'
import { closed, Day, described, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { ENGINES } from '../vocabulary.ts'
import { BrandAnswer } from './answers.ts'
import { brandPath, defineAccountOperation, REFUSALS } from './define.ts'
import { Fix } from './fixes.ts'
import { AveragePosition, Metrics, Ratio } from './metrics.ts'
import { MAX_RANGE_DAYS_OF_ANSWERS, ROUTE_PARAMETERS } from './parameters.ts'
import { UrlRow } from './urls.ts'

/** These routes have no pieces: what lies beyond is left out, and `truncated` says so. */
export const MAX_DEPRECATED_ITEMS = 200

const { from, to, engines, country, question_id } = ROUTE_PARAMETERS.report
const deprecatedTo = (replacement: string) => ({
  since: '2026-06-26',
  sunset: 'Sat, 26 Dec 2026 00:00:00 GMT',
  replacement,
})

const itemsOf = <const Id extends string, Item extends Type.TSchema>(
  id: Id,
  name: string,
  { replacement, item, max_days }: { replacement: string; item: Item; max_days?: number },
) =>
  defineAccountOperation({
    id,
    method: 'GET',
    path: `/api/v1/brands/{brandId}/${name}`,
    tag: 'Deprecated',
    summary: `Use ${replacement} instead`,
    subject: 'brand',
    permission: 'read',
    effect: 'read',
    params: closed(brandPath),
    query: Type.Object({ from, to, engines, country, question_id }),
    ...(max_days === undefined ? {} : { max_days }),
    output: Type.Object({ brand_id: Uuid, from: Day, to: Day, items: Type.Array(item), truncated: Type.Boolean() }),
    refusals: REFUSALS,
    deprecated: deprecatedTo(replacement),
  })

const period = {
  from: Day,
  to: Day,
  engine: orNull(oneOf(ENGINES), 'Null: all engines together.'),
  state: Type.String(),
}
const ofAnswer = { answer_id: Uuid, question_id: Uuid, engine: oneOf(ENGINES), asked_at: Instant }
const { mentions, citations } = BrandAnswer.properties
const [Citations] = citations.anyOf

const movedFix = { method: 'PATCH', tag: 'Deprecated', permission: 'act_on_fixes', effect: 'write' } as const
const status = oneOf(['accepted', 'completed', 'dismissed'], 'What becomes of the fix.')
const REPLACEMENT_OF_FIX = '/api/v1/brands/{brandId}/fixes/{id}/accept'

export const deprecatedOperations = [
  itemsOf('listVisibility', 'visibility', {
    replacement: '/api/v1/brands/{brandId}/report',
    item: Type.Object({ ...period, visibility: Ratio, average_position: AveragePosition }),
  }),
  itemsOf('listSentiment', 'sentiment', {
    replacement: '/api/v1/brands/{brandId}/report',
    item: Type.Object({ ...period, net_sentiment: Metrics.properties.net_sentiment }),
  }),
  itemsOf('listMentions', 'mentions', {
    replacement: '/api/v1/brands/{brandId}/answers',
    item: Type.Object({ ...ofAnswer, mention: mentions.items }),
    max_days: MAX_RANGE_DAYS_OF_ANSWERS,
  }),
  itemsOf('listCitations', 'citations', {
    replacement: '/api/v1/brands/{brandId}/answers',
    item: Type.Object({ ...ofAnswer, citation: Citations.items }),
    max_days: MAX_RANGE_DAYS_OF_ANSWERS,
  }),
  itemsOf('listPages', 'pages', { replacement: '/api/v1/brands/{brandId}/urls', item: UrlRow }),
  defineAccountOperation({
    ...movedFix,
    id: 'changeFixInBody',
    path: '/api/v1/brands/{brandId}/fixes',
    summary: 'Use the actions on fixes instead',
    subject: 'brand',
    params: closed(brandPath),
    query: none,
    body: closed({ id: described(Uuid, 'Id of the fix.'), status }),
    output: Fix,
    refusals: [...REFUSALS, 409],
    // The path does not name the fix, so the reference stands for the action.
    deprecated: deprecatedTo('/docs#acceptFix'),
  }),
  defineAccountOperation({
    ...movedFix,
    id: 'changeFixInPath',
    path: '/api/v1/brands/{brandId}/fixes/{id}',
    summary: 'Use the actions on fixes instead',
    subject: 'brand',
    params: closed({ ...brandPath, id: described(Uuid, 'Id of the fix.') }),
    query: none,
    body: closed({ status }),
    output: Fix,
    refusals: [...REFUSALS, 409],
    deprecated: deprecatedTo(REPLACEMENT_OF_FIX),
  }),
] as const

export type DeprecatedOperation = (typeof deprecatedOperations)[number]
export type DeprecatedInput = InputOf<(typeof deprecatedOperations)[0]>
