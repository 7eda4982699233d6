/**
 * One inspection of a page: robots.txt, then the page as Spoor and as the crawler (rules 8.3). It stores nothing.
 */
import type { RegistryEntry } from '#crawlers/registry/document.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import type { RobotsFetch } from '#robots/availability.ts'
import { decideInThread } from '#robots/decide-thread.ts'
import { type OutsideContext, reachesOutside } from './control-site.ts'
import { crawlerAgent, hasPublishedProof } from './crawler-agent.ts'
import { describeRobots, describeTls } from './describe-findings.ts'
import type { InspectionResult, UnreachableFinding, Visit } from './inspection.ts'
import { inspectorAgent } from './marker.ts'
import { type RobotsVisit, visitRobots } from './robots-visit.ts'
import { endsOnAnotherSite, MAX_CLEAN_REDIRECTS, type VisitTrace, visit } from './visit.ts'

export interface InspectPageContext extends OutsideContext {
  outgoing: SafeFetchContext
  /** The public URL of this service; null if it is not set. */
  public_url: string | null
  /** Returns scheme, host and port of a host; by default with the standard ports. */
  originOf?: (scheme: 'https' | 'http', host: string) => string
  clock: { now(): number; elapsed(): number }
}

export interface PageToInspect {
  inspection_id: string
  root_domain: string
  host: string
  path: string
  /** Null: inspect with Spoor's own agent only. */
  crawler: RegistryEntry | null
  /** An earlier inspection of the host was clean over https, so http is not tried. */
  was_clean_over_https: boolean
  /** An earlier inspection reached the host over http: unless one was clean over https, it is http that fails now. */
  was_reached_over_http: boolean
  /** The fetch of robots.txt over a scheme, with what earlier ones found. */
  fetchWithHistory(scheme: 'https' | 'http', visit: RobotsVisit): Promise<RobotsFetch>
}

export interface PageInspection {
  result: InspectionResult
  robots: RobotsVisit
}

/** An inspection ends within 25 s; each of the last steps may take up to MIN_MS longer. */
const MAX_MS = 23_000
const ROBOTS_MS = 5_000
const VISIT_MS = 10_000
const MIN_MS = 500

/** Inspects a page over HTTPS, and over HTTP where HTTPS does not reach it. */
export async function inspectPage(
  ctx: InspectPageContext,
  page: PageToInspect,
  signal: AbortSignal,
): Promise<PageInspection> {
  const ends_at = ctx.clock.elapsed() + MAX_MS
  const over = (scheme: 'https' | 'http') => inspectOver(ctx, page, scheme, ends_at, signal)
  const secure = await over('https')
  if (page.was_clean_over_https || secure.result.unreachable === null) return secure
  if (secure.result.unreachable.stage === 'name' && !page.was_reached_over_http) return secure
  const plain = await over('http')
  return plain.result.unreachable === null || page.was_reached_over_http ? plain : secure
}

async function inspectOver(
  ctx: InspectPageContext,
  page: PageToInspect,
  scheme: 'https' | 'http',
  ends_at: number,
  signal: AbortSignal,
): Promise<PageInspection> {
  const { root_domain, host, path, crawler } = page
  const origin = ctx.originOf?.(scheme, host) ?? `${scheme}://${host}`
  const own_agent = inspectorAgent(ctx.public_url, page.inspection_id)
  const left = (most: number) => Math.max(MIN_MS, Math.floor(Math.min(most, ends_at - ctx.clock.elapsed())))
  const visitAs = (agent: string): Promise<VisitTrace> =>
    visit(ctx.outgoing, {
      url: `${origin}${path}`,
      agent,
      foreign_agent: own_agent,
      root_domain,
      signal,
      timeout_ms: left(VISIT_MS),
    })
  const fetched_at = ctx.clock.now()
  const robots = await visitRobots(ctx.outgoing, { origin, agent: own_agent, timeout_ms: left(ROBOTS_MS), signal })
  const agent = crawler === null ? null : crawlerAgent(crawler)
  const visitBoth = async () => {
    const ours = await visitAs(own_agent)
    const unreachable = await describeUnreachable(ctx, ours, host, left, signal)
    const theirs = unreachable !== null || agent === null ? null : await visitAs(`${agent} ${own_agent}`)
    return { ours, unreachable, theirs }
  }
  // robots.txt is evaluated after the visits, so that a hostile file takes no time from them.
  const [{ ours, unreachable, theirs }, verdict] = await Promise.all([
    visitBoth(),
    crawler === null ? null : decideRobots(robots, page.fetchWithHistory(scheme, robots), { crawler, path }),
  ])
  const as_crawler = theirs?.visit ?? null
  const as_ourselves = unreachable === null ? ours.visit : null
  return {
    robots,
    result: {
      scheme,
      robots: describeRobots(robots, fetched_at, verdict),
      dns: {
        state: ours.addresses === null ? 'failed' : 'resolved',
        code: ours.addresses === null ? ours.visit.code : null,
        addresses: [...(ours.addresses ?? [])],
      },
      tls: ours.tls === null ? null : describeTls(ours.tls),
      as_crawler,
      as_ourselves,
      unreachable,
      reproduced: isReproduced(page, { as_crawler, as_ourselves, unreachable }),
      is_clean:
        (as_crawler ?? as_ourselves)?.is_served === true && (verdict === null || verdict.decision === 'allowed'),
    },
  }
}

/** The path is requested without a query, so rules with `?` are decided as for any URL. */
async function decideRobots(
  { is_challenge, is_declined, is_unreadable }: RobotsVisit,
  fetch: Promise<RobotsFetch>,
  { crawler, path }: { crawler: RegistryEntry; path: string },
) {
  const { decisions } = await decideInThread({
    fetch: await fetch,
    is_challenge,
    is_declined,
    is_unreadable,
    targets: [path],
    isStoredPath: false,
    crawlers: [{ token: crawler.robots_token, reading: crawler.robots }],
  })
  return decisions[0] ?? null
}

function isReproduced(
  { crawler, root_domain }: Pick<PageToInspect, 'crawler' | 'root_domain'>,
  {
    as_crawler: theirs,
    as_ourselves: ours,
    unreachable,
  }: Pick<InspectionResult, 'as_crawler' | 'as_ourselves' | 'unreachable'>,
): InspectionResult['reproduced'] {
  // A fault of our own network proves nothing about the host.
  if (ours === null) return unreachable?.is_outside_reached === false ? 'unknown' : 'yes'
  const visit = theirs ?? ours
  if (visit.is_served) return 'no'
  if (isDeclined(visit) || isLedAway(visit, root_domain)) return 'unknown'
  if (theirs === null || !(ours.is_served || isLedAway(ours, root_domain))) return 'yes'
  // A site may rightly refuse a crawler from an address that is not its vendor's.
  return crawler !== null && hasPublishedProof(crawler) ? 'unknown' : 'yes'
}

/** The site redirected to another site, whose response proves nothing about the page. */
const isLedAway = (visit: Visit, root_domain: string) =>
  visit.state === 'answered' &&
  endsOnAnotherSite(visit, root_domain) &&
  visit.hops.length - 1 <= MAX_CLEAN_REDIRECTS &&
  visit.challenge.state !== 'detected'

/** Spoor does not request the address of the page, so nothing was observed. */
const isDeclined = ({ state, hops }: Visit) => state === 'refused_destination' && hops.length === 0

async function describeUnreachable(
  ctx: InspectPageContext,
  { visit: { hops, code }, addresses, refusal }: VisitTrace,
  host: string,
  left: (most: number) => number,
  signal: AbortSignal,
): Promise<UnreachableFinding | null> {
  if (refusal === null || hops.length > 0 || refusal.kind === 'invalid_input') return null
  return {
    stage: addresses === null ? 'name' : stageOf(refusal),
    code: code ?? refusal.code,
    // A name server without an answer may use up the whole time.
    is_outside_reached: await reachesOutside(ctx, host, left(OUTSIDE_MS), signal),
  }
}

/** The stage at which a host with addresses refused. */
const stageOf = ({ code }: NonNullable<VisitTrace['refusal']>) => (code === 'tls' ? 'certificate' : 'connection')

const OUTSIDE_MS = 4_000
