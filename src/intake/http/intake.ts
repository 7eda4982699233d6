/** HTTPS intake: a batch in, facts and coverage and an answer out (decisions 3.5). */
import type { Deliverer } from '#sources/authenticate-token.ts'
import { HostNames } from '../import/host-names.ts'
import { DaysOfAgents, Judge } from './agents.ts'
import type { IntakeAnswer } from './answer.ts'
import { nameBatch } from './answers.ts'
import { Batch } from './batch.ts'
import { openCommitter, sourceDisconnected } from './commit.ts'
import type { IntakeContext } from './context.ts'
import { type DialectName, openDialect } from './dialects.ts'
import { Load, type LoadLimits } from './load.ts'
import { SitePages } from './pages.ts'
import { readBody } from './read-body.ts'
import { readyBatch } from './ready-batch.ts'
import { IntakeRefusal } from './refusal.ts'
import { Turns } from './turns.ts'

export interface Delivery {
  deliverer: Deliverer
  /** `X-Spoor-Sender`; null when the request names none. */
  sender: string | null
  idempotency_key: string | null
  /** `?dialect=`; null for generic records. */
  dialect: DialectName | null
  /** `?fields=`: names of tab-separated columns, where a dialect has them. */
  fields: readonly string[] | null
}

export interface Intake {
  /**
   * Takes a batch; answers only once it is durable. `open` is asked for the body when there is room for it.
   * @throws IntakeRefusal, and the stores' own errors: then nothing of it counts, and sending it again doubles nothing.
   */
  receive(delivery: Delivery, open: () => AsyncIterable<Buffer>): Promise<IntakeAnswer>
  /** Resolves once nothing is being written. */
  idle(): Promise<void>
}

export function openIntake(ctx: IntakeContext, limits?: LoadLimits): Intake {
  const turns = new Turns()
  const load = new Load(limits)
  const committer = openCommitter(ctx)
  const days = new DaysOfAgents(ctx.evidence)
  const sites = new Map<string, { host_names: HostNames; pages: SitePages }>()
  let judge: Judge | null = null

  const judgeNow = async () => {
    // Cheap unless lists have changed, also in another process.
    await ctx.prover.refresh()
    const registry = await ctx.registries.current()
    if (judge === null || judge.registry !== registry) judge = new Judge(registry)
    return judge
  }
  const siteOf = async (site_id: string) => {
    const known = sites.get(site_id)
    if (known !== undefined) return known
    const opened = { host_names: await HostNames.open(ctx.evidence, site_id), pages: new SitePages(site_id) }
    if (sites.size >= MOST_SITES) sites.clear()
    // Another batch may have opened the same site meanwhile.
    const first = sites.get(site_id) ?? opened
    sites.set(site_id, first)
    return first
  }

  return {
    async receive({ deliverer, sender, idempotency_key, dialect, fields }, open) {
      if (deliverer.connection_status === 'disconnected') throw sourceDisconnected()
      const share = load.admit(deliverer.token_id)
      try {
        const { site_id, source_id, token_id } = deliverer
        const site = await siteOf(site_id)
        const batch = new Batch({ ctx, deliverer, judge: await judgeNow(), days, ...site, prove: ctx.prove })
        const reading = { batch, dialect: openDialect(dialect, fields), share, turns, clock: ctx.clock }
        const body_sha256 = await readBody(reading, open())
        refuseUnreadable(batch)
        warn(batch, deliverer, site.host_names)
        const read_as = dialect === null ? null : [dialect, ...(fields ?? [])].join(',')
        const name = nameBatch({ source_id, sender: sender ?? '', body_sha256, read_as, idempotency_key })
        const of = { name, sender: sender ?? token_id, token_id }
        return await committer.commit(await readyBatch(batch, of, turns))
      } finally {
        share.release()
      }
    },
    idle: () => committer.idle(),
  }
}

/** Each remembers its hosts and pages. */
const MOST_SITES = 20

/** A sender that takes every 200 for a success must see that nothing of what it sends can be read. */
function refuseUnreadable({ answer, objects }: Batch): void {
  const [first] = answer.rejected
  if (first === undefined || objects > 0) return
  throw new IntakeRefusal(
    'not_readable',
    `None of the ${answer.records} records of the body is a JSON object (${first.message}). Send one JSON object a line, or an array of objects. Nothing was stored.`,
  )
}

function warn({ answer, is_crowded, expired }: Batch, { retention_days }: Deliverer, host_names: HostNames): void {
  if (expired > 0) {
    const message = `${expired} records are older than the ${retention_days} days that the site keeps, and are deleted again soon: the owner may keep more (spoor site retention)`
    answer.warnings.push({ code: 'beyond_retention', message })
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
