import Type from 'typebox'
import { instantText } from '#clock.ts'
import type { AuthorityInterruptionRow } from '#control/tables.ts'
import { assignAuthority } from '#crawlers/authority/assign.ts'
import { openAuthority } from '#crawlers/authority/open-authority.ts'
import { type Assignment, readAuthority } from '#crawlers/authority/read-authority.ts'
import { type Gate, gateName, listGates, setGate } from '#sites/gates.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import { command } from './command.ts'

/** Gates of a site, and which source counts which of its hosts (rules 5); site by id or domain. */
export const authorityCommands = {
  'gate.list': command({
    input: Type.Object({ site: Type.String() }),
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      return { gates: (await listGates(ctx.control.db, site.id)).map(gateAnswer) }
    },
  }),

  'gate.set': command({
    input: Type.Object({ site: Type.String(), gate: Type.String(), is_open: Type.Boolean() }),
    async run(ctx, { site: text, gate, is_open }) {
      const site = await findAnySite(ctx, text)
      const name = gateName(gate)
      const assigns = name === 'crawler_authority_v2' && is_open
      const assigned = assigns ? await openAuthority({ ...(await ctx.crawlers()), site }) : []
      if (!assigns) await ctx.control.transaction((tx) => setGate(tx, ctx, { site_id: site.id, name, is_open }))
      const gates = await listGates(ctx.control.db, site.id)
      const { id, root_domain } = site
      const set = gateAnswer(gates.find((row) => row.name === name) as Gate)
      return { id, root_domain, ...set, assigned: assigned.map(assignmentAnswer) }
    },
  }),

  'authority.list': command({
    input: Type.Object({ site: Type.String() }),
    async run(ctx, { site: text }) {
      const site = await findAnySite(ctx, text)
      const { assignments, interruptions } = await ctx.control.snapshot((tx) => readAuthority(tx, site.id))
      return {
        assignments: assignments.map(assignmentAnswer),
        interruptions: interruptions.map(interruptionAnswer),
      }
    },
  }),

  'authority.assign': command({
    input: Type.Object({ site: Type.String(), host: Type.String(), source: Type.String(), from: Type.String() }),
    async run(ctx, { site: text, host, source, from }) {
      const site = await findAnySite(ctx, text)
      return assignmentAnswer(await assignAuthority(ctx, { site, hostname: host, source, from }))
    },
  }),
}

function gateAnswer({ name, is_open, about, changed_at }: Gate) {
  return { name, is_open, about, changed_at: changed_at === null ? null : instantText(changed_at) }
}

function assignmentAnswer({ hostname, effective_day, assigned_at, revision }: Assignment) {
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

function interruptionAnswer({ id, source_id, disconnected_at, effective_at, ends_at }: AuthorityInterruptionRow) {
  return {
    ...{ id, source_id },
    disconnected_at: instantText(disconnected_at),
    effective_at: instantText(effective_at),
    ends_at: ends_at === null ? null : instantText(ends_at),
  }
}
