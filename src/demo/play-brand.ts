/** The demo's brand: daily scans whose answers are decided, stored by the same writers as answers of real engines. */
import { addBrand } from '#brands/brands.ts'
import { addCompetitor } from '#brands/competitors.ts'
import { costOf, pricesOf } from '#brands/engines/prices.ts'
import { changeSettings, keyContext } from '#brands/engines/settings.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { addQuestionBatch } from '#brands/questions/add-questions.ts'
import type { ScanContext } from '#brands/scans/context.ts'
import { createScan } from '#brands/scans/create-scan.ts'
import { endRun } from '#brands/scans/end-run.ts'
import { scanStart } from '#brands/scans/schedule.ts'
import { storePending } from '#brands/scans/store-pending.ts'
import { takeNextRun } from '#brands/scans/take-run.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { ApiEngine } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { BRAND, COMPETITORS, DEMO_ENGINES, demoAnswer, QUESTIONS } from './brand-answers.ts'
import type { Seed } from './seed.ts'
import { sequence } from './sequence.ts'

/** A scan a day, at most so many days back: enough for a comparison before and after the change of the model. */
const MAX_DAYS = 21
const HOUR = 5
const ANSWER_MS = 9_000

export interface DemoBrandPlace {
  account_id: string
  /** Its site; the brand's domain is that of the site. */
  site_id: string
  domain: string
}

/** Makes the brand with questions and competitors, and plays its scans up to `seed.now`. */
export async function playBrand(ctx: ScanContext, place: DemoBrandPlace, seed: Seed): Promise<FoundBrand> {
  const { account_id, site_id, domain } = place
  const first_day = seed.now - Math.min(seed.days, MAX_DAYS) * DAY_MS
  // The questions are as old as the first scan.
  const then = { ...ctx, clock: { now: () => first_day - DAY_MS, elapsed: ctx.clock.elapsed } }
  const brand = await addBrand(then, { account_id, site_id, ...BRAND, domains: [domain] })
  for (const competitor of COMPETITORS) await addCompetitor(then, { account_id, brand: brand.id, ...competitor })
  const questions = QUESTIONS.map(({ text }) => ({ text, country: null, tags: ['demo'] }))
  await addQuestionBatch(then, { brand, questions })
  await setUpEngines(ctx, account_id)
  const random = sequence(seed.seed)
  for (let at = first_day; at <= seed.now; at += DAY_MS) {
    const started_at = scanStart({ brand_id: brand.id, hour: HOUR }, utcDay(at))
    if (started_at <= seed.now - MINUTE_MS * 30) await playScan(ctx, { brand, domain, started_at, seed, random })
  }
  await storePending(ctx, { scan_id: null, signal: new AbortController().signal })
  await forgetKeys(ctx, account_id)
  return brand
}

interface PlayedScan {
  brand: FoundBrand
  domain: string
  started_at: number
  seed: Seed
  random: () => number
}

async function playScan(ctx: ScanContext, { brand, domain, started_at, seed, random }: PlayedScan): Promise<void> {
  const schedule_key = `${brand.id} ${utcDay(started_at)}`
  const wanted = { brand, cause: 'schedule' as const, runs: 1, engines: null, schedule_key, missed: null }
  await ctx.control.transaction((trx) => createScan(trx, { ...wanted, started_at }))
  const days_ago = (seed.now - started_at) / DAY_MS
  let now = started_at
  for (;;) {
    const taken = await takeNextRun(ctx.control, now)
    if (taken === null) return
    now += ANSWER_MS
    const { adapter, settings, call, question } = taken
    const engine = adapter.engine as ApiEngine
    const answer = demoAnswer({ engine, question: question.text, days_ago, domain }, random)
    const cost = costOf(answer, pricesOf(adapter, settings), call.estimate_micros)
    const outcome = { ...answer, country_applied: null }
    await endRun(ctx.control, { call, outcome, cost, country: null, now, draw: 0 })
  }
}

async function setUpEngines({ control, secrets }: ScanContext, account_id: string): Promise<void> {
  await control.transaction(async (trx) => {
    for (const engine of DEMO_ENGINES) {
      const sealed_key = secrets.seal('of the demo', keyContext({ account_id, engine }))
      await changeSettings(trx, { account_id, engine }, { is_enabled: 1, sealed_key })
    }
  })
}

/** Without keys nothing of the demo can ask an engine. */
async function forgetKeys({ control }: ScanContext, account_id: string): Promise<void> {
  await control.transaction(async (trx) => {
    for (const engine of DEMO_ENGINES) await changeSettings(trx, { account_id, engine }, { sealed_key: null })
  })
}
