/** Reads batches concurrently in a separate thread (read-thread.ts), and requests what it needs from the stores. */
import { DAY_MS } from '#clock.ts'
import type { Prove } from '#crawlers/identity/prove-request.ts'
import type { Registry } from '#crawlers/registry/classify.ts'
import { utcDay } from '#days/utc-day.ts'
import type { FactOrigin } from '../facts/fact.ts'
import { HostNames } from '../facts/host-limit.ts'
import { AgentClassifier, DaysOfAgents } from './agent-classifier.ts'
import { nameBatch } from './answered-batches.ts'
import { Batch } from './batch.ts'
import type { RejectionCode } from './batch-answer.ts'
import { SitePages } from './batch-pages.ts'
import { IntakeRefusal } from './batch-refusal.ts'
import { readBatchBody } from './decode-batch.ts'
import type { BatchDelivery } from './delivery.ts'
import { DIALECTS, type DialectName, openDialect } from './dialects.ts'
import { finishBatch, type ReadResult } from './finish-batch.ts'
import { grow, type LoadTable } from './load-limits.ts'
import { TaskQueue } from './task-queue.ts'

export interface ReadOrder extends BatchDelivery {
  origin: FactOrigin
  /** The batch's slot in the load. */
  slot: number
}

/** Reads names that are already stored. */
export interface StoredNames {
  hosts(site_id: string): Promise<readonly string[]>
  /** Keys of the agents of a day, `YYYY-MM-DD`. */
  agents(site_id: string, day: string): Promise<readonly string[]>
  /** Whether an id is that of an inspection of the site. */
  isInspection(site_id: string, id: string): Promise<boolean>
}

export interface BatchReader {
  /** Sets the registry and the prover for batches that begin from now on. */
  know(registry: Registry, prove: Prove): void
  /** @throws IntakeRefusal, and errors of the body and of `stored`. */
  read(order: ReadOrder, body: AsyncIterable<Buffer>, stored: StoredNames): Promise<ReadResult>
}

/** Reads batches into rows, in the reading thread. */
export function openBatchReader(load: LoadTable): BatchReader {
  const tasks = new TaskQueue()
  const days = new DaysOfAgents()
  const sites = new Map<string, { host_names: HostNames; pages: SitePages }>()
  let judge: AgentClassifier | null = null
  let prove: Prove = () => ''

  const siteOf = async (site_id: string, stored: StoredNames) => {
    const known = sites.get(site_id)
    if (known !== undefined) return known
    const opened = { host_names: new HostNames(await stored.hosts(site_id)), pages: new SitePages() }
    if (sites.size >= MAX_SITES) sites.clear()
    // Another batch may have opened the same site first.
    const first = sites.get(site_id) ?? opened
    sites.set(site_id, first)
    return first
  }

  return {
    know(registry, by) {
      if (judge === null || judge.registry !== registry) judge = new AgentClassifier(registry)
      prove = by
    },
    async read({ deliverer, origin, slot, sender, idempotency_key, dialect, fields }, body, stored) {
      if (judge === null) throw new Error('no registry is known yet')
      const { site_id, source_id } = deliverer
      const by = { judge, prove }
      const site = await siteOf(site_id, stored)
      const openDay = (day: number) => days.open(site_id, day, () => stored.agents(site_id, utcDay(day * DAY_MS)))
      const isInspection = (id: string) => stored.isInspection(site_id, id)
      const batch = new Batch({ origin, deliverer, ...by, ...site, openDay, isInspection })
      const share = { grow: (bytes: number) => grow(load, slot, bytes) }
      const opened = openDialect(dialect, fields)
      const body_sha256 = await readBatchBody({ batch, dialect: opened, share, tasks }, body)
      batch.coverage.sees_edge = opened.sees_edge
      refuseUnreadable(batch)
      warn(batch, deliverer.retention_days, site.host_names)
      warnOfOtherDialect(batch, dialect)
      const read_as = dialect === null ? null : [dialect, ...(fields ?? [])].join(',')
      const name = nameBatch({ source_id, sender: sender ?? '', body_sha256, read_as, idempotency_key })
      return finishBatch(batch, name, tasks)
    },
  }
}

/** The most cached sites, each with its hosts and pages. */
const MAX_SITES = 20

/** Refuses a batch without any readable record: senders take every 200 for a success. */
function refuseUnreadable({ answer, objects }: Batch): void {
  const [first] = answer.rejected
  if (first === undefined || objects > 0) return
  throw new IntakeRefusal(
    'not_readable',
    `The body holds no JSON object (${first.message}). Send one JSON object a line, or an array of objects. Nothing was stored.`,
  )
}

function warn({ answer, is_crowded, expired }: Batch, retention_days: number, host_names: HostNames): void {
  if (expired > 0) {
    const message = `${expired} records are older than the ${retention_days} days that the site keeps, and are deleted again soon: the owner may keep more ({next})`
    answer.warnings.push({ code: 'beyond_retention', message, next: { step: 'site.retention' } })
  }
  if (is_crowded) {
    const message = 'over 10,000 agents came on a day; the further ones are kept together as :other'
    answer.warnings.push({ code: 'many_agents', message })
  }
  if (host_names.crowded) {
    const message = 'the site has over 1,000 hosts; the further ones are kept together as :other'
    answer.warnings.push({ code: 'many_hosts', message })
  }
}

/** Reasons of records that probably have another dialect than the batch. */
const SIGNS_OF_OTHER_DIALECT: ReadonlySet<RejectionCode> = new Set<RejectionCode>([
  ...(['timestamp_missing', 'path_missing', 'user_agent_missing', 'no_timestamp', 'unknown_json'] as const),
])

/** Adds a hint to the answer if probably all records have another dialect. */
function warnOfOtherDialect({ answer }: Batch, dialect: DialectName | null): void {
  const { records, rejected_count, rejected } = answer
  if (records === 0 || rejected_count < records || !rejected.every(({ code }) => SIGNS_OF_OTHER_DIALECT.has(code)))
    return
  const [form, or] =
    dialect === null
      ? ['a generic record, with timestamp, path or url, and user_agent', '']
      : [`a record of the dialect ${dialect}`, ', or leave the parameter out for generic records']
  const message = `no record of the batch can be read as ${form}. Name the form that its sender writes in the URL: ?dialect= with one of ${DIALECTS.join(', ')}${or}`
  answer.warnings.push({ code: 'no_record_read', message })
}
