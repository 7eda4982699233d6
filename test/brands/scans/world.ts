/** An account whose engines are all a double on loopback, for tests of scans. */
import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import pino from 'pino'
import Type from 'typebox'
import { inject, onTestFinished } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addBrand } from '#brands/brands.ts'
import { addCompetitor } from '#brands/competitors.ts'
import { changeSettings, keyContext } from '#brands/engines/settings.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { addQuestionBatch } from '#brands/questions/add-questions.ts'
import type { ScanContext } from '#brands/scans/context.ts'
import { createScan } from '#brands/scans/create-scan.ts'
import { runDueScans } from '#brands/scans/run-due.ts'
import type { ApiEngine } from '#contract/vocabulary.ts'
import type { ControlStore } from '#control/store.ts'
import type { EngineSettingRow, ScanRunRow } from '#control/tables.ts'
import { rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { makeTestFolder, openTestControl, removeTestFolder, type TestControl } from '../../support/control.ts'
import { type EngineDouble, openEngineDouble } from '../../support/engine-double.ts'

export const KEY = 'sk-very-secret-key'

export interface ScanWorld {
  opened: TestControl
  clock: FakeClock
  account_id: string
  double: EngineDouble
  ctx: ScanContext
  /** What another worker has: on PostgreSQL a store of its own; a file of SQLite has one holder. */
  openOther(): Promise<ScanContext>
  setUp(engine: ApiEngine, more?: Partial<EngineSettingRow>): Promise<void>
  /** A brand with its questions, which a competitor shares. */
  addBrand(questions: readonly string[], country?: string | null): Promise<FoundBrand>
  /** Begins a scan; it is asked by `run`. */
  start(brand: FoundBrand, engines: readonly ApiEngine[], runs?: number): Promise<string>
  run(): Promise<number>
  runs(scan_id: string): Promise<ScanRunRow[]>
  /** What the answers of a brand are in the evidence store. */
  answers(brand: FoundBrand): Promise<StoredAnswer[]>
}

const StoredAnswer = Type.Object({
  engine: Type.String(),
  state: Type.String(),
  code: Type.String(),
  run: Type.String(),
  text: Type.String(),
  cost: Type.String(),
  basis: Type.String(),
  country: Type.String(),
  applied: Type.String(),
  mentions: Type.String(),
})
type StoredAnswer = Type.Static<typeof StoredAnswer>

export async function openScanWorld(
  evidence: EvidenceStore,
  { at = '2026-11-20T12:00:00Z', answer }: { at?: string; answer: RequestListener },
): Promise<ScanWorld> {
  const opened = await openTestControl()
  const { control } = opened
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const clock = fakeClock(at)
  const { account_id } = await ensureInstallation(control, clock)
  const double = await openEngineDouble(answer)
  const secrets = openSecretBox(folder, { secret_key: null })
  const contextOf = (store: ControlStore): ScanContext => ({
    control: store,
    evidence,
    clock,
    outgoing: double.outgoing,
    secrets,
    log: pino({ level: 'silent' }),
    payload_folder: join(folder, 'payloads'),
    random: () => 0,
    timeout_ms: 5_000,
  })
  const ctx = contextOf(control)
  return {
    opened,
    clock,
    account_id,
    double,
    ctx,
    openOther: async () =>
      inject('control_store') === 'postgres' ? contextOf(await opened.open()) : contextOf(control),
    async setUp(engine, more = {}) {
      const sealed_key = secrets.seal(KEY, keyContext({ account_id, engine }))
      const settings = { is_enabled: 1 as const, sealed_key, base_url: double.url, terms_accepted_at: 1, ...more }
      await control.transaction((trx) => changeSettings(trx, { account_id, engine }, settings))
    },
    async addBrand(texts, country = null) {
      const name = `Brotwerk ${randomUUID().slice(0, 8)}`
      const names = { name, aliases: ['Brotwerk'], domains: ['brotwerk.example'] }
      const brand = await addBrand(ctx, { account_id, site_id: null, ...names })
      await addCompetitor(ctx, { account_id, brand: brand.id, name: 'Kornhaus', aliases: [], domains: [] })
      const questions = texts.map((text) => ({ text, country, tags: [] }))
      await addQuestionBatch(ctx, { brand, questions })
      return brand
    },
    async start(brand, engines, runs = 1) {
      const wanted = { brand, cause: 'person' as const, runs, engines, schedule_key: null, missed: null }
      const { scan } = await control.transaction((trx) => createScan(trx, { ...wanted, started_at: clock.now() }))
      return scan.id
    },
    run: () => runDueScans(ctx, new AbortController().signal),
    async runs(scan_id) {
      return control.db
        .selectFrom('scan_runs')
        .selectAll()
        .where('scan_id', '=', scan_id)
        .orderBy('engine')
        .orderBy('question_id')
        .orderBy('run')
        .execute()
    },
    answers: (brand) =>
      evidence.all(
        rows(StoredAnswer)`
          SELECT toString(engine) AS engine, toString(state) AS state, ifNull(failure_code, '') AS code,
            toString(run) AS run, ifNull(text, '') AS text, ifNull(toString(cost_micros), '') AS cost,
            ifNull(toString(cost_basis), '') AS basis, ifNull(country, '') AS country,
            ifNull(toString(country_applied), '') AS applied,
            (SELECT toString(groupArray((toString(tracked_id) = toString(brand_id), toString(sentiment))))
              FROM (SELECT * FROM spoor.answer_mentions FINAL WHERE brand_id = ${uuid(brand.id)} ORDER BY answer_id, position)
            ) AS mentions
          FROM spoor.answers FINAL WHERE brand_id = ${uuid(brand.id)} ORDER BY engine, asked_at, question_id, run`,
      ),
  }
}

/** What OpenAI answers with a text. */
export const openaiAnswer = (text: string) => ({
  status: 200,
  body: {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5-mini-2025-08-07',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }],
    usage: { input_tokens: 1_000, output_tokens: 100 },
    tool_usage: { web_search: { num_requests: 1 } },
  },
})
