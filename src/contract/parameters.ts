/** Query parameters that several operations share, with their bounds and defaults (spec 4.1). */
import Type from 'typebox'
import { oneOf } from './fields.ts'
import { DEFAULT_PURPOSES, DEFAULT_WINDOW, FORMATS, INCLUDES, PURPOSES, SHORT_WINDOWS, WINDOWS } from './vocabulary.ts'

export const none = Type.Object({})

/** What every read about crawlers has in common, and every one about visitors (spec 4.2). */
export const crawlerRead = {
  method: 'GET',
  tag: 'Crawlers',
  params: none,
  refusals: [400, 401, 404, 405, 500],
} as const
export const analyticsRead = { ...crawlerRead, tag: 'Analytics', refusals: [400, 401, 404, 405, 500, 503] } as const
/** Of those about visitors, the ones that refuse windows of more than 30 days. */
export const shortAnalyticsRead = {
  ...analyticsRead,
  refusals: [400, 401, 404, 405, 422, 500, 503],
  window_too_long: 422,
} as const

export const window = Type.Enum(WINDOWS, {
  type: 'string',
  default: DEFAULT_WINDOW,
  description: 'UTC day window ending today: today and the N-1 days before it.',
})

export const shortWindow = Type.Enum(SHORT_WINDOWS, {
  type: 'string',
  default: DEFAULT_WINDOW,
  description: 'UTC day window ending today, at most 30 days. A longer one is refused, never cut.',
})

export const purpose = Type.Array(oneOf(PURPOSES), {
  default: [...DEFAULT_PURPOSES],
  minItems: 1,
  description: 'Comma-separated. Training is opt-in, undeclared purpose is included. Anything else is refused.',
})

export const format = Type.Enum(FORMATS, {
  type: 'string',
  default: 'json',
  description: 'CSV is a lossless RFC 4180 form of the JSON object.',
})

export const include = Type.Array(oneOf(INCLUDES), {
  default: [],
  description:
    'What is counted besides visitors. `development`: events from the development origins of the site, which are in no answer otherwise.',
})

/** The parameter for the maximum number of rows. */
export const limit = (bounds: { maximum: number; default: number; description: string }) =>
  Type.Integer({ minimum: 1, ...bounds })
