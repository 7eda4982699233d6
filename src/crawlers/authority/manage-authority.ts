/** Gates of a site, and which source counts which of its hosts, as operations (rules 5). */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { AuthorityInterruptionRow } from '#control/tables.ts'
import type { Implementations } from '#implementation.ts'
import { type Gate, gateName, listGates, setGate } from '#sites/gates.ts'
import type { CrawlerContext } from '../context.ts'
import { assignAuthority } from './assign-hosts.ts'
import { openAuthority } from './open-authority.ts'
import { type Assignment, readAuthority } from './read-authority.ts'

interface Services extends ControlContext {
  crawlers(): Promise<CrawlerContext>
}

export const manageAuthority: Implementations<
  ManagementOperationOf<`authority.${string}` | `gate.${string}`>,
  Services
> = {
  async 'gate.list'(ctx) {
    return { gates: (await listGates(ctx.control.db, ctx.site.id)).map(describeGate) }
  },

  async 'gate.set'(ctx, { gate, is_open }) {
    const { site } = ctx
    const name = gateName(gate)
    const assigns = name === 'crawler_authority_v2' && is_open
    const assigned = assigns ? await openAuthority({ ...(await ctx.crawlers()), site }) : []
    if (!assigns) await ctx.control.transaction((tx) => setGate(tx, ctx, { site_id: site.id, name, is_open }))
    const gates = await listGates(ctx.control.db, site.id)
    const { id, root_domain } = site
    const set = describeGate(gates.find((row) => row.name === name) as Gate)
    return { id, root_domain, ...set, assigned: assigned.map(describeAssignment) }
  },

  async 'authority.list'(ctx) {
    const { assignments, interruptions } = await ctx.control.snapshot((tx) => readAuthority(tx, ctx.site.id))
    return {
      assignments: assignments.map(describeAssignment),
      interruptions: interruptions.map(describeInterruption),
    }
  },

  async 'authority.assign'(ctx, { host, source, from }) {
    return describeAssignment(await assignAuthority(ctx, { site: ctx.site, hostname: host, source, from }))
  },
}

function describeGate({ name, is_open, about, changed_at }: Gate) {
  return { name, is_open, about, changed_at: instantOrNull(changed_at) }
}

function describeAssignment({ hostname, effective_day, assigned_at, revision }: Assignment) {
  return {
    hostname,
    effective_day,
    assigned_at: instantText(assigned_at),
    contract_revision_id: revision.id,
    source_id: revision.source_id,
    provider: revision.provider,
    adapter: revision.adapter,
    sampling: revision.sampling,
    path_fidelity: revision.path_fidelity,
    status_fidelity: revision.status_fidelity,
    limitation: revision.limitation,
  }
}

function describeInterruption({ id, source_id, disconnected_at, effective_at, ends_at }: AuthorityInterruptionRow) {
  return {
    id,
    source_id,
    disconnected_at: instantText(disconnected_at),
    effective_at: instantText(effective_at),
    ends_at: instantOrNull(ends_at),
  }
}
