/** A site with millions of observed requests, generated in the engine. */
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { labelAgents } from '#crawlers/registry/label-agents.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { markDays, releaseDays } from '#derived/dirty-days.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { day, type Fragment, instant, sql, text, uint, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Installation } from '#installation/installation.ts'
import { agentKey } from '#intake/facts/fact.ts'
import { addSite } from '#sites/sites.ts'
import { newSource } from '#sources/new-source.ts'

const ALL_DAYS = 400
const AGENTS = 15
/** The requests of one insert. */
const PIECE = 500_000
const DELIVERY = '00000000-0000-4000-8000-000000000001'
const SOURCE = '00000000-0000-4000-8000-000000000002'

interface FillOptions {
  /** How many paths the requests are spread over (Zipf, exponent 1), or one path per request. */
  paths?: number | 'one each' | undefined
  /** The number of days, of which today is the last. */
  days?: number
}

/**
 * Adds the site and fills it; returns its id. Facts are generated; agents, labels, coverage and dirty days are written
 * as an import writes them. 15 agents; 400 days and 50,000 paths, or as many as given.
 */
export async function fillSite(
  installation: Installation,
  requests: number,
  { paths = 50_000, days: day_count = ALL_DAYS }: FillOptions = {},
): Promise<string> {
  const { operator, clock } = installation
  const { evidence, registries } = await installation.crawlers()
  const site = await addSite(operator, { ...operator, domain: 'example.com' })
  const agents = builtInAgents()
  const agentRows = agents.map((agent) => [agent.agent_key, agent.user_agent, '', '2026-01-01 00:00:00.000'])
  await evidence.insert('agents', jsonRows(agentRows), agentRows.length)
  await labelAgents(evidence, await registries.current(), agents)
  const today = dayStart(utcDay(clock.now()))
  const from = today - (day_count - 1) * DAY_MS
  const days = Array.from({ length: day_count }, (_, index) => utcDay(from + index * DAY_MS))
  // No request is in the future.
  const seconds_of_today = Math.max(1, Math.floor((clock.now() - today) / 1_000))
  const filled = { site_id: site.id, from, today, day_count, seconds_of_today, paths, agents }
  for (const month of new Set(days.map((each) => each.slice(0, 7)))) {
    const in_month = days.filter((each) => each.startsWith(month))
    const count = Math.round((requests / day_count) * in_month.length)
    const span = { month, first: days.indexOf(in_month[0] as string), day_count: in_month.length }
    // In pieces, because one insert of a month of a large site takes more memory than a writer may use.
    for (let done = 0; done < count; done += PIECE) {
      await evidence.run(insertRequests(filled, span, { done, count: Math.min(PIECE, count - done) }))
    }
    await evidence.run(insertPages(in_month[0] as string, in_month.at(-1) as string))
  }
  await recordUpload(installation, site.id, { from, days })
  return site.id
}

interface HistoryAgent {
  user_agent: string
  agent_key: string
}

/** The first example of each of the registry's first counted crawlers. */
const builtInAgents = (): HistoryAgent[] =>
  builtInDocument.entries
    .filter((entry) => entry.example_user_agents.length > 0 && entry.scope !== 'ads')
    .slice(0, AGENTS)
    .map((entry) => entry.example_user_agents[0] as string)
    .map((user_agent) => ({ user_agent, agent_key: agentKey(user_agent) }))

interface FilledSite {
  site_id: string
  /** Beginning of the first day and of today, epoch milliseconds. */
  from: number
  today: number
  day_count: number
  seconds_of_today: number
  paths: number | 'one each'
  agents: readonly HistoryAgent[]
}

interface MonthSpan {
  /** For example 2026-03. */
  month: string
  /** Index of the first filled day of the month, and how many there are. */
  first: number
  day_count: number
}

/** Some requests of a month, by their numbers, spread evenly over its days. */
function insertRequests(
  { site_id, from, today, day_count, seconds_of_today, paths, agents }: FilledSite,
  { month, first, day_count: days_of_month }: MonthSpan,
  { done, count }: { done: number; count: number },
): Fragment {
  const page =
    paths === 'one each'
      ? sql`sipHash64(${text(month)}, number)`
      : sql`toUInt32(floor(exp(randCanonical(1) * log(${uint(paths)}))))`
  const column = (name: keyof HistoryAgent) =>
    sql`arrayElement(splitByChar('\n', ${text(agents.map((agent) => agent[name]).join('\n'))}), agent)`
  return sql`
      INSERT INTO spoor.requests (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
        host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, received_at)
      WITH
        toUInt32(number % ${uint(days_of_month)}) + ${uint(first)} AS day_index,
        if(day_index = ${uint(day_count - 1)}, ${uint(seconds_of_today)}, 86400) AS seconds,
        ${page} AS page,
        least(toUInt8(floor(exp(randCanonical(2) * log(${uint(AGENTS + 1)})))), ${uint(AGENTS)}) AS agent
      SELECT ${uuid(site_id)}, toDate(${instant(from)}) + day_index, reinterpretAsUInt128(sipHash128(${text(month)}, number)),
        ${instant(from)} + toIntervalSecond(day_index * 86400 + number % seconds), 'exact', ${uuid(SOURCE)}, ${uuid(DELIVERY)}, 0, 1, NULL,
        'example.com', concat('/articles/section-', toString(page % 97), '/page-', toString(page)), 'exact', 'content',
        multiIf(randCanonical(3) < 0.9, 200, randCanonical(3) < 0.95, 404, randCanonical(3) < 0.98, 301, 503), 0, 'GET',
        ${column('user_agent')}, toUInt64(${column('agent_key')}), ${instant(today)}
      FROM numbers(${uint(done)}, ${uint(count)})`
}

/** The names of the pages of these days that have none yet. */
const insertPages = (from_day: string, to_day: string): Fragment => sql`
      INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
      SELECT any(site_id), page_id, any(host), any(path), any(path_fidelity), any(path_class) FROM spoor.requests
      WHERE day BETWEEN ${text(from_day)} AND ${text(to_day)}
        AND page_id NOT IN (SELECT page_id FROM spoor.pages)
      GROUP BY page_id`

/** The source of the requests, its coverage of all days until now, and the marks of these days. */
async function recordUpload(
  { control, clock }: Installation,
  site_id: string,
  { from, days }: { from: number; days: readonly string[] },
): Promise<void> {
  const now = clock.now()
  const source = newSource({
    id: SOURCE,
    site_id,
    source_type: 'log_upload',
    name: '',
    connection_status: 'live',
    created_at: now,
  })
  await control.transaction(async (tx) => {
    await tx
      .insertInto('sources')
      .values({ ...source, connected_at: from, data_through: now, is_primary: 1, has_statuses: 1 })
      .execute()
    await tx
      .insertInto('coverage_intervals')
      .values({
        id: DELIVERY,
        site_id,
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
        .values({ site_id, day, kind: 'crawlers', cause: DELIVERY, state: 'written', marked: 1 })
        .execute()
    }
  })
}

/** Marks every day of the site dirty, so that all of them are read from facts and can be derived again. */
export async function dirtyAllDays(
  { control, clock }: Pick<CrawlerContext, 'control' | 'clock'>,
  site_id: string,
): Promise<void> {
  const today = dayStart(utcDay(clock.now()))
  const days = Array.from({ length: ALL_DAYS }, (_, back) => ({ site_id, day: utcDay(today - back * DAY_MS) }))
  await control.transaction((tx) =>
    markDays(tx, { kind: 'crawlers', cause: 'bench', state: 'written', now: clock.now() }, days),
  )
}

/**
 * Adds requests to one day of such a site, copies of one in `share` of its requests. The day is marked dirty first, as
 * by every delivery.
 * @param run below `share`; each adds others.
 */
export async function addRequests(
  ctx: Pick<Installation, 'control' | 'clock'>,
  evidence: EvidenceStore,
  { site_id, day: of, share, run }: { site_id: string; day: string; share: number; run: number },
): Promise<void> {
  await deliver(ctx, { site_id, day: of, cause: `again ${run}` }, () =>
    evidence.run(sql`
    INSERT INTO spoor.requests (${COLUMNS})
    SELECT site_id, day, reinterpretAsUInt128(sipHash128('again', event)), at, ${COPIED}, ${instant(ctx.clock.now())}
    FROM spoor.requests
    WHERE site_id = ${uuid(site_id)} AND day = ${day(of)} AND event % ${uint(share)} = ${uint(run)}`),
  )
}

/**
 * A batch of a live source on the open day: requests of the last second, similar to others of the day. Their ids are
 * consecutive, like those of records without ids.
 * @param run each adds others.
 */
export async function addBatch(
  ctx: Pick<Installation, 'control' | 'clock'>,
  evidence: EvidenceStore,
  { site_id, day: of, count, run }: { site_id: string; day: string; count: number; run: number },
): Promise<void> {
  const now = ctx.clock.now()
  const idOf = (name: string) => sql`reinterpretAsUInt128(sipHash128(${text(`${name} ${run}`)}))`
  await deliver(ctx, { site_id, day: of, cause: `batch ${run}` }, () =>
    evidence.run(sql`
    INSERT INTO spoor.requests (${COLUMNS})
    SELECT site_id, day, ${idOf('batch')} + rowNumberInAllBlocks(),
      ${instant(now)} - toIntervalMillisecond(rowNumberInAllBlocks() % 1000), ${COPIED}, ${instant(now)}
    FROM (
      SELECT * FROM spoor.requests
      WHERE site_id = ${uuid(site_id)} AND day = ${day(of)} AND event >= intDiv(${idOf('like')}, 2)
      ORDER BY site_id, day, event
      LIMIT ${uint(count)}
    )`),
  )
}

const COPIED = sql`precision, source_id, delivery_id, reading, requests, provider_estimate,
      host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key`
const COLUMNS = sql`site_id, day, event, at, ${COPIED}, received_at`

async function deliver(
  { control }: Pick<Installation, 'control'>,
  { site_id, day: of, cause }: { site_id: string; day: string; cause: string },
  insert: () => Promise<void>,
): Promise<void> {
  await control.db
    .insertInto('dirty_days')
    .values({ site_id, day: of, kind: 'crawlers', cause, state: 'writing', marked: 1 })
    .execute()
  await insert()
  await control.transaction((tx) => releaseDays(tx, cause))
}
