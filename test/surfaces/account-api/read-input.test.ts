/** Input of routes that take engines, as the report will; no route that is served takes them yet. */
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addPlanEngine, removePlanEngine } from '#brands/plan-engines.ts'
import { ROUTE_PARAMETERS } from '#contract/account-api/parameters.ts'
import { listQuestions } from '#contract/account-api/questions.ts'
import { openQuotas } from '#control/quotas/open-quotas.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import { readAccountInput } from '#surfaces/account-api/read-input.ts'
import { fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const clock = fakeClock('2026-03-10T12:00:00Z')
let store: TestControl
let quotas: QuotaStore
let account_id: string
beforeEach(async () => {
  store = await openTestControl()
  quotas = await openQuotas(store.folder, null)
  account_id = (await ensureInstallation(store.control, clock)).account_id
})
afterEach(async () => {
  await quotas.close()
  await store.remove()
})

const report = { ...listQuestions, query: Type.Object(ROUTE_PARAMETERS.report) }
const read = (query: string) => {
  const request = { raw: { url: `/x?${query}` }, params: { brandId: UUID.toUpperCase() }, headers: {} }
  // Its path names nothing below the brand, so no evidence is read.
  const ctx = { control: store.control, clock, quotas } as unknown as Parameters<typeof readAccountInput>[0]
  return readAccountInput(ctx, report, request as unknown as FastifyRequest, { account_id })
}
const refusal = (query: string) =>
  read(query).then(
    () => null,
    ({ code, message, faults }) => ({ code, message, codes: faults.map((fault: { code: string }) => fault.code) }),
  )

describe('engines of a request (account API 1)', () => {
  test('one that is known but not in the plan has its own code, and the error names those in the plan', async () => {
    await addPlanEngine(store.control.db, { account_id, engine: 'grok', reason: 'has_answers' })
    expect(await refusal('engines=grok,claude,gemini')).toEqual({
      code: 'engine_not_in_plan',
      message: 'Not in the plan of the account: claude, gemini. Remove them from engines; in the plan: grok.',
      codes: ['engine_not_in_plan', 'engine_not_in_plan'],
    })
    expect(await read('engines=grok')).toMatchObject({ engines: ['grok'] })
    await removePlanEngine(store.control.db, { account_id, engine: 'grok' })
    expect(await refusal('engines=grok')).toMatchObject({ code: 'engine_not_in_plan' })
  })

  test('but any other fault comes first', async () => {
    expect(await refusal('engines=claude&compare=x')).toMatchObject({ code: 'invalid_request', codes: ['invalid'] })
    expect(await refusal('engines=claude,bard')).toMatchObject({ code: 'invalid_request', codes: ['unknown_engine'] })
  })

  test('without engines the plan is not read', async () => {
    expect(await read('utm=1')).toEqual({
      brandId: UUID,
      from: '2026-02-09',
      to: '2026-03-10',
      interval: 'day',
      compare: 'none',
      ignored_parameters: ['utm'],
    })
  })
})
