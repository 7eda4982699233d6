/** How sure a request is of its name (decisions 3.3, rules 4). */
import { AGENTS } from '../agents.ts'
import type { Visit } from '../events.ts'
import { dayOf } from '../time.ts'
import type { Identity, Ledger } from './ledger.ts'

/** Proof is a fact of the moment of receipt. Lists speak from the day on on which they were imported. */
export function identityOf(ledger: Ledger, visit: Visit): Identity {
  const { is } = AGENTS[visit.agent]
  const list = ledger.lists.find(({ crawler, from }) => crawler === is?.crawler_id && from <= dayOf(visit.at))
  const inside = list !== undefined && visit.address !== undefined && visit.address.startsWith(list.network)
  if (inside) return 'network_verified'
  if (visit.verified) return 'provider_verified'
  if (list === undefined || visit.address === undefined || visit.address.startsWith('10.')) return 'ua_identified'
  return ledger.broken === 'impostors_are_identified' ? 'ua_identified' : 'unknown'
}
