/**
 * How fast the four crawler reads answer over HTTP, at 1, 3 and 10 million observed requests of one site: 400 days, 50,000 paths
 * (Zipf, exponent 1), 15 agents. Run: node bench/crawlers.ts [millions…]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createSiteKey } from '#accounts/site-keys.ts'
import { DAY_MS, dayStart, systemClock, utcDay } from '#clock.ts'
import { readConfig } from '#config.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { labelAgents } from '#crawlers/registry/label-agents.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild.ts'
import { jsonRows } from '#evidence/json-rows.ts'
import { instant, sql, text, uint, uuid } from '#evidence/sql.ts'
import { agentKey } from '#intake/import/agents.ts'
import { addSite } from '#sites/sites.ts'
import { type Installation, openInstallation, surfaceA } from '../src/main.ts'
import { percentile, row } from './figures.ts'

const DAYS = 400
const PATHS = 50_000
const AGENTS = 15
const OPERATIONS = ['performance', 'crawlers', 'top-pages', 'sources'] as const
const WINDOWS = ['30d', '365d'] as const
const RUNS = 40
const DELIVERY = '00000000-0000-4000-8000-000000000001'
const SOURCE = '00000000-0000-4000-8000-000000000002'

const millions = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1, 3, 10]
const medians = new Map<string, number>()
for (const million of millions) await measure(million)

async function measure(million: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
  const log = pino({ level: 'silent' })
  const clock = systemClock()
  const installation = await openInstallation({ config: { ...readConfig({}), data: folder }, clock, log, wait_ms: 0 })
  try {
    const siteId = await fill(installation, million * 1_000_000)
    const crawlers = await installation.crawlers()
    const http = surfaceA(installation, crawlers, { log, support_email: null })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const { secret } = await createSiteKey(installation.operator, {
      user_id: installation.operator.user_id,
      name: 'bench',
    })
    const ask = async (operation: string, window: string) => {
      const answer = await fetch(`${url}/v1/sites/${siteId}/${operation}?window=${window}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(body)
    }

    console.log(`\n${million} million requests\n`)
    console.log(row('read', 'clients', 'p50 ms', 'p99 ms', `of 1 million`))
    for (const operation of OPERATIONS)
      await report(million, `${operation} 365d, all days dirty`, 1, 5, () => ask(operation, '365d'))
    const started = clock.elapsed()
    const days = await rebuildDirtyDays(crawlers)
    console.log(row(`rebuild of ${days} days`, '', Math.round(clock.elapsed() - started), '', ''))
    for (const clients of [1, 4]) {
      for (const window of WINDOWS) {
        for (const operation of OPERATIONS) {
          await report(million, `${operation} ${window}`, clients, RUNS, () => ask(operation, window))
        }
      }
    }
    await http.close()
  } finally {
    await installation.close()
    rmSync(folder, { recursive: true })
  }
}

async function report(
  million: number,
  name: string,
  clients: number,
  runs: number,
  work: () => Promise<void>,
): Promise<void> {
  await work()
  const times: number[] = []
  const client = async () => {
    for (let run = 0; run < runs; run++) {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const median = percentile(times, 50)
  const key = `${name} ${clients}`
  if (million === 1) medians.set(key, median)
  const base = medians.get(key)
  console.log(
    row(
      name,
      clients,
      median.toFixed(1),
      percentile(times, 99).toFixed(1),
      base === undefined ? '' : (median / base).toFixed(2),
    ),
  )
}

/** Facts are generated in the engine; agents, labels, coverage and dirty days are written as an import writes them. */
async function fill(installation: Installation, requests: number): Promise<string> {
  const { control, operator, clock } = installation
  const { evidence, registries } = await installation.crawlers()
  const site = await addSite(operator, { ...operator, domain: 'example.com' })
  const agents = builtInDocument.entries
    .filter((entry) => entry.example_user_agents.length > 0 && entry.scope !== 'ads')
    .slice(0, AGENTS)
    .map((entry) => entry.example_user_agents[0] as string)
    .map((user_agent) => ({ user_agent, agent_key: agentKey(user_agent) }))
  const agentRows = agents.map((agent) => [agent.agent_key, agent.user_agent, '', '2026-01-01 00:00:00.000'])
  await evidence.insert('agents', jsonRows(agentRows), agentRows.length)
  await labelAgents(evidence, await registries.current(), agents)

  const today = dayStart(utcDay(clock.now()))
  const from = today - (DAYS - 1) * DAY_MS
  const days = Array.from({ length: DAYS }, (_, index) => utcDay(from + index * DAY_MS))
  for (const month of new Set(days.map((day) => day.slice(0, 7)))) {
    const inMonth = days.filter((day) => day.startsWith(month))
    const first = days.indexOf(inMonth[0] as string)
    const count = Math.round((requests / DAYS) * inMonth.length)
    await evidence.run(sql`
      INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
        host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, received_at)
      WITH
        toUInt32(number % ${uint(inMonth.length)}) + ${uint(first)} AS day_index,
        toUInt32(floor(exp(randCanonical(1) * log(${uint(PATHS)})))) AS page,
        least(toUInt8(floor(exp(randCanonical(2) * log(${uint(AGENTS + 1)})))), ${uint(AGENTS)}) AS agent
      SELECT ${uuid(site.id)}, toDate(${instant(from)}) + day_index, reinterpretAsUInt128(sipHash128(${text(month)}, number)),
        ${instant(from)} + toIntervalSecond(day_index * 86400 + number % 86400), 'exact', ${uuid(SOURCE)}, ${uuid(DELIVERY)}, 0, 1, NULL,
        'example.com', concat('/articles/section-', toString(page % 97), '/page-', toString(page)), 'exact', 'content',
        multiIf(randCanonical(3) < 0.9, 200, randCanonical(3) < 0.95, 404, randCanonical(3) < 0.98, 301, 503), 0, 'GET',
        arrayElement(splitByChar('\n', ${text(agents.map((agent) => agent.user_agent).join('\n'))}), agent),
        toUInt64(arrayElement(splitByChar('\n', ${text(agents.map((agent) => agent.agent_key).join('\n'))}), agent)),
        ${instant(today)}
      FROM numbers(${uint(count)})`)
  }
  await evidence.run(sql`
    INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
    SELECT DISTINCT site_id, page_id, host, path, path_fidelity, path_class FROM spoor.requests`)
  await control.transaction(async (tx) => {
    const now = clock.now()
    const common = { site_id: site.id, created_at: now, connected_at: from, data_through: now }
    await tx
      .insertInto('sources')
      .values({
        ...common,
        id: SOURCE,
        source_type: 'log_upload',
        server: '',
        connection_status: 'live',
        is_primary: 1,
        has_statuses: 1,
      })
      .execute()
    await tx
      .insertInto('coverage_intervals')
      .values({
        id: DELIVERY,
        site_id: site.id,
        source_id: SOURCE,
        host: '*',
        from_at: from,
        to_at: now,
        quality: 'complete',
        reason: '',
        is_declared: 0,
        silence_limit_ms: 3_600_000,
        delivery_id: null,
      })
      .execute()
    for (const day of days) {
      await tx
        .insertInto('dirty_days')
        .values({ site_id: site.id, day, delivery_id: DELIVERY, state: 'written' })
        .execute()
    }
  })
  return site.id
}
