/** Log upload: a file in; facts, coverage and a receipt out (decisions 3.4). No facts before the last line is read. */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { CoveredTime } from '#crawlers/coverage/covered-minutes-of-logs.ts'
import type { JoinableRange } from '#crawlers/coverage/join-covered-time.ts'
import { storePendingAddresses } from '#crawlers/identity/prove-pending-addresses.ts'
import { dayStart } from '#days/utc-day.ts'
import type { DayRange } from '#days/windows.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { belongsTo, normalizeHost } from '#sites/root-domain.ts'
import type { Site } from '#sites/site.ts'
import { HostNames } from '../facts/host-limit.ts'
import { findInspectionIds } from '../facts/own-inspections.ts'
import { storeAgents } from '../facts/store-agents.ts'
import { readHosts } from '../facts/stored-hosts.ts'
import { decompress } from '../log/decompress.ts'
import { readLines } from '../log/lines.ts'
import { commitDelivery } from './commit-import.ts'
import { FileAgents } from './file-agents.ts'
import { FileCounts } from './file-counts.ts'
import { checkNotes, type LogNotes } from './import-options.ts'
import { partialReason } from './partial-reason.ts'
import { readFile } from './read-file.ts'
import type { ImportReceipt } from './receipt.ts'
import { futureTimesWarning, movedLinesWarning, oldLogWarning, receiptOf, refuseUseless, warnings } from './report.ts'
import { Stage } from './stage-rows.ts'
import { unnamedUploadWarning } from './unnamed-upload-warning.ts'
import { movedUploads, resolveUploadSource } from './upload-source.ts'

export interface ImportRequest extends LogNotes {
  site: Site
}

/** From this many rows on, memory is released between reading and committing. */
const ROWS_OF_MUCH_MEMORY = 100_000

export interface ImportProgress {
  bytes: number
  lines: number
  /** Another import is running: this one waits for it. Reported once, before any bytes. */
  waits?: true
}

/**
 * Imports one file. Repeating an import changes nothing, and completes one that was interrupted.
 * Refusals: empty_log; not_readable (truncated, binary, nothing parses); invalid_input (another site's host or log).
 */
export async function importLog(
  ctx: CrawlerContext,
  request: ImportRequest,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReceipt> {
  checkNotes(request, ctx.clock.now())
  declaredHost(request)
  // The import lock is requested after the first bytes, so that a silent input does not delay other imports.
  const begun = await begin(chunks)
  // One import at a time: memory is bounded, and two first imports of a site cannot both create its source.
  if (ctx.intake.is_importing) onProgress({ bytes: 0, lines: 0, waits: true })
  return ctx.intake.duringImport(() => importUnderLock(ctx, request, begun, onProgress))
}

/** Resolves with the same chunks after the first one has arrived. */
async function begin(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return all()
}

async function importUnderLock(
  ctx: CrawlerContext,
  request: ImportRequest,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReceipt> {
  const started = ctx.clock.elapsed()
  const { site } = request
  const host = declaredHost(request)
  const source = await resolveUploadSource(ctx, site.id, request.server)
  const registry = await ctx.registries.current()
  await ctx.prover.refresh()
  const agents = new FileAgents(registry)
  const hostNames = new HostNames(await readHosts(ctx.evidence, site.id))
  const deliveryId = randomUUID()
  const stage = new Stage(ctx.evidence, deliveryId, ctx.intake.undropped_stages)
  const counts = new FileCounts()
  let bytes = 0
  try {
    const plain = decompress(asBuffers(chunks), {
      name: request.path ?? request.label,
      on_read: (read) => (bytes += read),
    })
    const reading = {
      delivery_id: deliveryId,
      source_id: source.id,
      server: source.name,
      moved: await movedUploads(ctx, source),
      root_domain: site.root_domain,
      default_host: host ?? site.root_domain,
      now: ctx.clock.now(),
      agents,
      document: registry.document,
      own_inspections: await findInspectionIds(ctx.control.db, site.id),
      prove: ctx.prover.prove,
      lists: ctx.prover.lists(),
      asks_names: ctx.prover.asks_names,
      host_names: hostNames,
      stage,
      counts,
      clock: ctx.clock,
      timezone: request.timezone,
    }
    await readFile(reading, readLines(plain), (lines) => onProgress({ bytes, lines }))
    await stage.finish()
    if (stage.count >= ROWS_OF_MUCH_MEMORY) ctx.evidence.releaseMemory()
    refuseUseless(request, counts, { bytes, now: ctx.clock.now() })
    await storeAgents(ctx, agents.stored())
    await storePendingAddresses(ctx)
    const committed = await commitDelivery(ctx, {
      id: deliveryId,
      site_id: site.id,
      source,
      staged: stage.count,
      coverage_host: host ?? '*',
      ...evidenceOf(counts, request),
    })
    return {
      ...receiptOf(counts, committed, agents),
      bytes,
      seconds: Number(((ctx.clock.elapsed() - started) / 1000).toFixed(3)),
      warnings: [
        ...warnings(counts, agents, hostNames, request),
        ...movedLinesWarning(committed, request),
        ...futureTimesWarning(counts, request, ctx.clock.now()),
        ...oldLogWarning(counts, request, ctx.clock.now()),
        ...(await unnamedUploadWarning(ctx.control.db, site.id, request.label)),
      ],
    }
  } finally {
    // A failure must not hide the outcome of the import; the next start drops staged rows that are left.
    await stage.drop().catch(() => {})
  }
}

function declaredHost({ host: given, site }: ImportRequest): string | null {
  if (given === null) return null
  const host = normalizeHost(given)
  if (host === null) {
    throw new Refusal(
      'invalid_input',
      `--host ${quoted(given)} is not a host name: give one such as www.${site.root_domain}`,
    )
  }
  if (!belongsTo(host, site.root_domain)) {
    throw new Refusal(
      'invalid_input',
      `--host ${host} does not belong to ${site.root_domain}: import under the site it belongs to`,
    )
  }
  return host
}

/** What the file says about the time that it covers. */
function evidenceOf(counts: FileCounts, request: ImportRequest) {
  return {
    ranges: joinable(counts.minutes.covered()),
    partial_reason: partialReason(counts, request),
    covers: request.covers === undefined ? null : declaredRange(request.covers),
    data_through: dataThrough(counts, request),
    has_statuses: counts.has_statuses,
    sees_edge: counts.sees_edge,
    has_local_times: counts.has_local_times,
  }
}

/**
 * The covered time, including that of lines ahead of the clock: readers count nothing after their `as_of` (rules 3).
 */
function joinable({ ranges, silence_limit_ms }: CoveredTime): JoinableRange[] {
  return ranges.map((part) => ({ ...part, silence_limit_ms }))
}

function declaredRange(covers: DayRange): { from: number; to: number } {
  return { from: dayStart(covers.from), to: dayStart(covers.to) + DAY_MS }
}

/** The instant of the newest line, or the end of the declared days. */
function dataThrough(counts: FileCounts, { covers }: ImportRequest): number {
  return covers === undefined ? counts.to : Math.max(counts.to, declaredRange(covers).to)
}

async function* asBuffers(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks)
    yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
