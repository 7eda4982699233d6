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
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ApiEngine } from '#contract/vocabulary.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { BRAND, COMPETITORS, DEMO_ENGINES, demoAnswer, QUESTIONS } from './brand-answers.ts'
import { FIX_DAYS, playFixes } from './play-fixes.ts'
import type { Seed } from './seed.ts'

/** A scan a day, at most so many days back: answers before and after a fix and the change of the model. */
const MAX_DAYS = 52
const HOUR = 5
const ANSWER_MS = 9_000
/** The owner looks at fixes after the scan of a day. */
const FIXES_MS = 9 * HOUR_MS

export interface DemoBrandPlace {
  account_id: string
  /** Its site; the brand's domain is that of the site. */
  site_id: string
  domain: string
  /** Moves the clock of all contexts. */
  moveTo(instant: number): void
}

/** The brand while the history of its site is played. */
export interface BrandPlay {
  brand: FoundBrand
  /** Plays the scans that end before an instant, and the owner's changes of fixes until then. */
  liveUntil(instant: number): Promise<void>
  /** Stores and judges what is left at the end of the history. */
  end(): Promise<void>
}

/** Makes the brand with questions and competitors; the clock stands where the history begins. */
export async function startBrand(ctx: ScanContext, place: DemoBrandPlace, seed: Seed): Promise<BrandPlay> {
  const { account_id, site_id, domain, moveTo } = place
  const brand = await addBrand(ctx, { account_id, site_id, ...BRAND, domains: [domain] })
  for (const competitor of COMPETITORS) await addCompetitor(ctx, { account_id, brand: brand.id, ...competitor })
  const questions = QUESTIONS.map(({ text }) => ({ text, country: null, tags: ['demo'] }))
  await addQuestionBatch(ctx, { brand, questions })
  await setUpEngines(ctx, account_id)
  let back = Math.min(seed.days, MAX_DAYS)
  const lookAtFixes = async () => {
    await storePending(ctx, { scan_id: null, signal: new AbortController().signal })
    await playFixes(ctx, brand, back)
  }
  return {
    brand,
    async liveUntil(instant) {
      for (; back >= 0; back--) {
        const day = utcDay(seed.now - back * DAY_MS)
        const started_at = scanStart({ brand_id: brand.id, hour: HOUR }, day)
        if (started_at > instant - MINUTE_MS * 30) return
        moveTo(started_at)
        await playScan(ctx, { brand, domain, started_at, back, seed: seed.seed })
        if (!FIX_DAYS.has(back)) continue
        moveTo(dayStart(day) + FIXES_MS)
        await lookAtFixes()
      }
    },
    async end() {
      await lookAtFixes()
      await forgetKeys(ctx, account_id)
    },
  }
}

interface PlayedScan {
  brand: FoundBrand
  domain: string
  started_at: number
  /** Days before the last one. */
  back: number
  seed: number
}

async function playScan(ctx: ScanContext, { brand, domain, started_at, back, seed }: PlayedScan): Promise<void> {
  const schedule_key = `${brand.id} ${utcDay(started_at)}`
  const wanted = { brand, cause: 'schedule' as const, runs: 1, engines: null, schedule_key, missed: null }
  await ctx.control.transaction((trx) => createScan(trx, { ...wanted, started_at }))
  let now = started_at
  for (;;) {
    const taken = await takeNextRun(ctx.control, now)
    if (taken === null) return
    now += ANSWER_MS
    const { adapter, settings, call, question } = taken
    const engine = adapter.engine as ApiEngine
    const answer = demoAnswer({ engine, question: question.text, days_ago: back, domain, seed })
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
