/** Gates of a site, and which source counts which of its hosts (rules 5). */
import Type from 'typebox'
import { Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { FIDELITIES } from '../vocabulary.ts'
import { onSite, siteFields } from './define.ts'

const Gate = Type.Object({
  name: Type.String(),
  is_open: Type.Boolean(),
  about: Type.String(),
  changed_at: orNull(Instant),
})

const Assignment = Type.Object({
  hostname: Type.String(),
  effective_day: Day,
  assigned_at: Instant,
  contract_revision_id: Uuid,
  source_id: Uuid,
  provider: Type.String(),
  adapter: Type.String(),
  sampling: orNull(Type.Number()),
  path_fidelity: oneOf(FIDELITIES),
  status_fidelity: oneOf(FIDELITIES),
  limitation: orNull(Type.String()),
})

const Interruption = Type.Object({
  id: Uuid,
  source_id: Uuid,
  disconnected_at: Instant,
  effective_at: Instant,
  ends_at: orNull(Instant),
})

export const authorityOperations = [
  onSite('gate.list', 'The gates of a site', { output: Type.Object({ gates: Type.Array(Gate) }) }),
  onSite('gate.set', 'Open or close a gate', {
    permission: 'set_gates',
    effect: 'write',
    input: { gate: Type.String(), is_open: Type.Boolean() },
    /** `assigned`: the sources that opening the authority gate assigned to hosts. */
    output: Type.Object({ ...siteFields, ...Gate.properties, assigned: Type.Array(Assignment) }),
  }),
  onSite('authority.list', 'Which source counts which host, and which assigned sources were disconnected', {
    output: Type.Object({ assignments: Type.Array(Assignment), interruptions: Type.Array(Interruption) }),
  }),
  onSite('authority.assign', 'Let a source count a host from a UTC day on', {
    permission: 'assign_authority',
    effect: 'write',
    input: { host: Type.String(), source: Type.String(), from: Type.String() },
    output: Assignment,
  }),
] as const
