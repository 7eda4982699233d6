/**
 * Answers over more facts than one statement may read: a real engine whose reading statements may use little memory.
 */
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { readCrawler } from '#crawlers/crawler.ts'
import { readCrawlers } from '#crawlers/crawlers.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { readTopPages } from '#crawlers/top-pages.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { Refusal } from '#refusal.ts'
import { answerTo } from '#surfaces/http/problems.ts'
import { fillSite } from '../../../bench/parts/crawler-history.ts'
import { fakeClock } from '../../support/clock.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const REQUESTS = 50_000
const PATHS = 2_000
const INPUT = { window: '365d', purpose: ['search', 'assistant', 'training', 'unknown'], limit: 50 } as const
/** Too little for any counting statement. */
const LITTLE_MB = 1

const folder = makeTestFolder()
let installation: Installation
let ctx: SiteContext

beforeAll(async () => {
  const clock = fakeClock('2026-11-22T12:00:00Z')
  const config = { ...readConfig({}), data: folder }
  installation = await openInstallation({ config, clock, log: pino({ level: 'silent' }), wait_ms: 0 })
  const id = await fillSite(installation, REQUESTS, { paths: PATHS })
  ctx = { ...(await installation.crawlers()), site: { id, root_domain: 'example.com' } as SiteContext['site'] }
})

afterAll(async () => {
  await installation.close()
  removeTestFolder(folder)
})

/** The context, with nothing kept of earlier answers, whose first reading statements have little memory. */
function withLittleMemory(statements: number): SiteContext {
  const { evidence } = ctx
  let left = statements
  const limited: EvidenceStore = overrideStore(evidence, {
    all: (statement) => evidence.all(statement, left-- > 0 ? { max_memory_mb: LITTLE_MB } : {}),
  })
  return { ...ctx, evidence: limited, derived: new DerivedDays() }
}

async function dirtyDays(): Promise<number> {
  return (await installation.control.db.selectFrom('dirty_days').selectAll().where('kind', '=', 'crawlers').execute())
    .length
}

describe('an answer over more facts than one statement may read', () => {
  test('takes the roll-ups of its days instead, and gives the same answer as the facts', async () => {
    const expected = await readTopPages(ctx, { ...INPUT, purpose: [...INPUT.purpose] })
    expect(await dirtyDays()).toBe(400)
    // The labels, the last request, and the counts.
    const answer = await readTopPages(withLittleMemory(3), { ...INPUT, purpose: [...INPUT.purpose] })
    // The open day is read from facts whatever was derived of it.
    expect(await dirtyDays()).toBe(1)
    expect({ ...answer, meta: null }).toEqual({ ...expected, meta: null })
  })

  test('ranks pages in parts if all at once do not fit, with the same answer', async () => {
    for (const limit of [1, 50, 500]) {
      const input = { ...INPUT, purpose: ['search' as const, 'unknown' as const], limit }
      const expected = await readTopPages(ctx, input)
      expect(expected.hidden_by_purpose_filter).not.toEqual([])
      // The labels, the closed days and the open day.
      const answer = await readTopPages(withLittleMemory(3), input)
      expect({ ...answer, meta: null }).toEqual({ ...expected, meta: null })
    }
  })

  test('lists the pages of one crawler in parts if all at once do not fit, with the same answer', async () => {
    const { crawlers } = await readCrawlers(ctx, { window: '365d', purpose: [...INPUT.purpose] })
    const { crawler_id } = crawlers[0] as (typeof crawlers)[number]
    for (const limit of [1, 50]) {
      const input = { window: '365d' as const, limit, crawler_id }
      const expected = await readCrawler(ctx, input)
      expect(expected.pages).toHaveLength(limit)
      const answer = await readCrawler(withLittleMemory(1), input)
      expect({ ...answer, meta: null }).toEqual({ ...expected, meta: null })
    }
  })

  test('is refused, with what to do, when that does not help', async () => {
    const input = { window: '365d' as const, purpose: [...INPUT.purpose] }
    for (const read of [readPerformance, readCrawlers]) {
      const refused = await read(withLittleMemory(6), input).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(Refusal)
      const { answer } = answerTo(refused, null)
      expect(answer.status).toBe(500)
      expect(JSON.parse(answer.body).detail).toMatch(/shorter window.+running import/)
    }
  })
})
