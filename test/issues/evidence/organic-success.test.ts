/** When the success of crawlers is sure from sums of a day, and when a day must be read instant by instant. */
import { describe, expect, test } from 'vitest'
import { organicSuccess } from '#issues/evidence/organic-success.ts'
import type { PageOutcome } from '#issues/evidence/page-outcomes.sql.ts'

const HARM_AT = 1_000
const unit = (...page_ids: string[]) => ({
  harm: 'refused' as const,
  members: page_ids.map((page_id) => ({ page_id, crawler_id: 'gptbot' })),
  vantage: 'origin' as const,
  weakest_identity: 1,
})
/** Requests of a day from the first to the last of these instants. */
const met = (status: number, requests: number, first_ms: number, last_ms: number, page_id = '1'): PageOutcome => ({
  page_id,
  crawler_id: 'gptbot',
  vantage: 'origin',
  day: '2026-03-10',
  status,
  by_edge: 0,
  rank: 1,
  harm: status === 403 ? 'refused' : '',
  requests,
  first_ms,
  last_ms,
})
const success = (outcomes: PageOutcome[], of = unit('1')) => organicSuccess(of, outcomes, HARM_AT)
const DAY = { state: 'unclear', days: [{ page_id: '1', day: '2026-03-10' }] }

describe('a day with requests before and after the harm', () => {
  test('is required if three of them are possible after it', () => {
    expect(success([met(200, 4, 900, 1_100)])).toEqual(DAY)
    expect(success([met(200, 3, 900, 1_100), met(206, 1, 1_050, 1_050)])).toEqual(DAY)
  })

  test('shows nothing where at most two can be, as the first is before it', () => {
    expect(success([met(200, 3, 900, 1_100)])).toEqual({ state: 'none' })
    expect(success([met(200, 2, 900, 1_100), met(206, 1, 1_050, 1_050)])).toEqual({ state: 'none' })
  })

  test('shows nothing where its last request failed in another way', () => {
    expect(success([met(200, 9, 900, 1_100), met(500, 2, 900, 1_001)])).toEqual({ state: 'none' })
  })

  test('shows nothing where too few members of a prefix were requested', () => {
    const prefix = unit('1', '2', '3', '4')
    expect(success([met(200, 9, 900, 1_100), met(200, 9, 900, 1_100, '2')], prefix)).toEqual({ state: 'none' })
    const three = ['1', '2', '3'].map((page_id) => met(200, 9, 900, 1_100, page_id))
    expect(success(three, prefix)).toMatchObject({ state: 'unclear' })
  })
})

test('requests after the harm whose third instant is hidden in a sum', () => {
  expect(success([met(200, 3, 1_100, 1_300)])).toEqual(DAY)
  expect(success([met(200, 2, 1_100, 1_100), met(200, 1, 1_200, 1_200)])).toEqual({ state: 'shown', at: 1_200 })
})
