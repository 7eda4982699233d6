/** Log upload: a file in, facts, coverage and a receipt out (decisions 3.4). Until the last line is read nothing becomes a fact. */
import { randomUUID } from 'node:crypto'
import { DAY_MS, dayStart, instantText } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { DayRange } from '#crawlers/coverage/window.ts'
import { labelAgents } from '#crawlers/registry/label-agents.ts'
import { jsonRows } from '#evidence/json-rows.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import { decompress } from '../log/decompress.ts'
import { readLines } from '../log/lines.ts'
import { FileAgents } from './agents.ts'
import { type Committed, commitDelivery } from './commit.ts'
import { HostNames } from './host-names.ts'
import { readFile } from './read-file.ts'
import { type Receipt, sortCounts, type Warning } from './receipt.ts'
import { checkNotes, type LogNotes } from './request.ts'
import { Stage } from './stage.ts'
import { Tally } from './tally.ts'

export interface ImportRequest extends LogNotes {
  site: Site
}

export interface ImportProgress {
  bytes: number
  lines: number
}

/** Unreadable lines beyond this share make a file a partial watch (rules 3). */
const MOST_UNREADABLE = 0.01

/**
 * Imports one file. Repeating it changes nothing; one that breaks off is completed by repeating it.
 * Refusals: not_readable (truncated, binary, nothing parses), invalid_input (a host or a log of another site).
 */
export function importLog(
  ctx: CrawlerContext,
  request: ImportRequest,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<Receipt> {
  // One import at a time: memory stays bounded, and two first imports of a site cannot both create its source.
  return betweenImports(ctx, () => importInTurn(ctx, request, chunks, onProgress))
}

/** Runs work that no import may overlap, after those under way and before those that come later. */
export function betweenImports<T>(ctx: CrawlerContext, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(ctx) ?? Promise.resolve()).then(work)
  turns.set(
    ctx,
    turn.then(
      () => {},
      () => {},
    ),
  )
  return turn
}

const turns = new WeakMap<CrawlerContext, Promise<void>>()

async function importInTurn(
  ctx: CrawlerContext,
  request: ImportRequest,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void,
): Promise<Receipt> {
  const started = ctx.clock.elapsed()
  const { site } = request
  checkNotes(request, ctx.clock.now())
  const host = declaredHost(request)
  const source = await findSource(ctx, site.id, request.server)
  const registry = await ctx.registries.current()
  const agents = new FileAgents(registry)
  const hostNames = await HostNames.open(ctx.evidence, site.id)
  const deliveryId = randomUUID()
  const stage = new Stage(ctx.evidence, deliveryId)
  const tally = new Tally()
  let bytes = 0
  try {
    const plain = decompress(asBuffers(chunks), { name: request.label, on_read: (read) => (bytes += read) })
    const reading = {
      delivery_id: deliveryId,
      source_id: source.id,
      server: source.server,
      root_domain: site.root_domain,
      default_host: host ?? site.root_domain,
      now: ctx.clock.now(),
      agents,
      host_names: hostNames,
      stage,
      tally,
      timezone: request.timezone,
    }
    await readFile(reading, readLines(plain), (lines) => onProgress({ bytes, lines }))
    await stage.finish()
    refuseUseless(request, tally)
    await storeAgents(ctx, agents)
    const watched = tally.minutes.watched()
    const committed = await commitDelivery(ctx, {
      id: deliveryId,
      site_id: site.id,
      source,
      coverage_host: host ?? '*',
      stretches: watched.stretches.map((part) => ({ ...part, silence_limit_ms: watched.silence_limit_ms })),
      partial_reason: partialReason(tally, request),
      covers: request.covers === undefined ? null : declaredStretch(request.covers),
      data_through: dataThrough(tally, request),
      has_statuses: tally.has_statuses,
    })
    return {
      ...receiptOf(tally, committed, agents),
      bytes,
      seconds: Number(((ctx.clock.elapsed() - started) / 1000).toFixed(3)),
      warnings: warnings(tally, agents, hostNames, request),
    }
  } finally {
    // It must not hide how the import ended; what stays staged is thrown away at the next start.
    await stage.drop().catch(() => {})
  }
}

function declaredHost({ host: given, site }: ImportRequest): string | null {
  if (given === null) return null
  const host = normalizeHost(given)
  if (host === null)
    throw new Refusal('invalid_input', `--host ${given} is not a host name: give one such as www.${site.root_domain}`)
  if (!belongsTo(host, site.root_domain)) {
    throw new Refusal(
      'invalid_input',
      `--host ${host} does not belong to ${site.root_domain}: import under the site it belongs to`,
    )
  }
  return host
}

/** The upload source of one server of the site, the unnamed one by default; it is stored with the first import that commits (rules 3). */
async function findSource(ctx: CrawlerContext, siteId: string, server = ''): Promise<SourceRow> {
  const known = await ctx.control.db
    .selectFrom('sources')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('source_type', '=', 'log_upload')
    .where('server', '=', server)
    .executeTakeFirst()
  return (
    known ?? {
      id: randomUUID(),
      site_id: siteId,
      source_type: 'log_upload',
      server,
      connection_status: 'live',
      is_primary: 0,
      created_at: ctx.clock.now(),
      connected_at: null,
      data_through: null,
      has_statuses: 0,
    }
  )
}

function refuseUseless({ label, site }: ImportRequest, tally: Tally): void {
  if (tally.lines === 0) throw new Refusal('not_readable', `${label} is empty: there is nothing to import`)
  const readable = tally.lines - tally.malformed
  const visits = readable - tally.server_internal - tally.sub_request
  // A log without agents is refused even where lines about connections or of the server itself stand in it (rules 4).
  if (readable === 0 || (visits === 0 && tally.reasons.has('no_user_agent'))) {
    throw new Refusal(
      'not_readable',
      `no line of ${label} can be read as an access log (${tally.malformedReasons()}); nothing was stored`,
    )
  }
  if (visits > 0 && !tally.has_agents) {
    throw new Refusal(
      'not_readable',
      `every user agent in ${label} is empty, so no crawler can be told; where the server leaves that header out, have it logged (Traefik: keep the header User-Agent in the access log). Nothing was stored`,
    )
  }
  if (visits > 0 && tally.other_site === visits) {
    const hosts = [...tally.foreign_hosts].join(', ')
    throw new Refusal(
      'invalid_input',
      `no line of ${label} belongs to ${site.root_domain}: its hosts are ${hosts}. Import it under the site it belongs to; nothing was stored`,
    )
  }
}

/** Agents and their labels are there before the facts that speak of them. */
async function storeAgents(ctx: CrawlerContext, agents: FileAgents): Promise<void> {
  const stored = agents.stored()
  if (stored.length === 0) return
  const now = instantText(ctx.clock.now()).replace('T', ' ').slice(0, 23)
  const agentRows = stored.map((agent) => [agent.agent_key, agent.user_agent, '', now])
  await ctx.evidence.insert('agents', jsonRows(agentRows), agentRows.length)
  // Again when another version took over meanwhile: it may have labelled its agents before these were there.
  let labelled = ''
  for (let registry = await ctx.registries.current(); registry.version !== labelled; ) {
    await labelAgents(ctx.evidence, registry, stored)
    labelled = registry.version
    registry = await ctx.registries.current()
  }
}

function declaredStretch(covers: DayRange): { from: number; to: number } {
  return { from: dayStart(covers.from), to: dayStart(covers.to) + DAY_MS }
}

/** The newest line, or the end of the days that the owner vouches for. */
function dataThrough(tally: Tally, { covers }: ImportRequest): number {
  return covers === undefined ? tally.to : Math.max(tally.to, declaredStretch(covers).to)
}

/** Why the file is less than a whole watch of its time (rules 3). */
function partialReason(tally: Tally, request: ImportRequest): string {
  if (request.partial) return 'declared_partial'
  if (tally.human === 0) return 'no_humans'
  if (tally.malformed > tally.lines * MOST_UNREADABLE) return 'unreadable_lines'
  return ''
}

function receiptOf(
  tally: Tally,
  committed: Committed,
  agents: FileAgents,
): Omit<Receipt, 'bytes' | 'seconds' | 'warnings'> {
  const byCrawler = new Map<string, number>()
  let stored = 0
  let unlabelled = 0
  for (const [key, count] of committed.stored_by_agent) {
    stored += count
    const crawler = agents.find(key)?.crawler_id
    if (crawler === null || crawler === undefined) unlabelled += count
    else byCrawler.set(crawler, count + (byCrawler.has(crawler) ? (byCrawler.get(crawler) as number) : 0))
  }
  return {
    files: 1,
    lines: tally.lines,
    malformed: tally.malformed,
    malformed_samples: tally.samples,
    other_site: tally.other_site,
    human: tally.human,
    automated_unlabelled: unlabelled,
    duplicates: committed.duplicates,
    ignored: { server_internal: tally.server_internal, sub_request: tally.sub_request, own_inspection: 0, expired: 0 },
    stored,
    by_crawler: sortCounts(byCrawler),
    from: instantText(tally.from),
    to: instantText(tally.to),
    hosts: sortCounts(tally.hosts),
  }
}

function warnings(tally: Tally, agents: FileAgents, hostNames: HostNames, { label }: ImportRequest): Warning[] {
  const found: Warning[] = []
  const say = (code: string, message: string) => found.push({ code, message: `${label}: ${message}` })
  if (tally.human === 0) {
    say('no_humans', 'no line is a person, so the log looks filtered; its time counts as a partial watch')
  }
  if (tally.malformed > tally.lines * MOST_UNREADABLE) {
    say(
      'unreadable_lines',
      `more than 1 % of the lines cannot be read (${tally.malformedReasons()}); its time counts as a partial watch`,
    )
  }
  if (agents.crowded_days.size > 0) {
    say(
      'many_agents',
      `over 10,000 agents came on ${agents.crowded_days.size === 1 ? 'a day' : `${agents.crowded_days.size} days`}; the further ones are kept together as :other`,
    )
  }
  const doubled = tally.double_log.share()
  if (doubled !== null) {
    say(
      'double_log',
      `${Math.round(100 * doubled)} % of the crawler lines stand twice under two protocols, so a front and a back server seem to share this log: import the log of one of them`,
    )
  }
  if (hostNames.crowded)
    say('many_hosts', 'the site has over 1,000 hosts; the further ones are kept together as :other')
  return found
}

async function* asBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
