/** How sure a request is of its name (decisions 3.3, rules 4). */
import { AGENTS, LIST } from '../agents.ts'
import type { Visit } from '../events.ts'
import type { Identity, Ledger } from './ledger.ts'

export function identityOf(ledger: Ledger, visit: Visit): Identity {
  const has_list = AGENTS[visit.agent].is?.crawler_id === LIST.crawler_id
  if (has_list && visit.address?.startsWith(LIST.network)) return 'network_verified'
  if (visit.verified) return 'provider_verified'
  // A private address is not the client's: it refutes nothing.
  if (!has_list || visit.address === undefined || visit.address.startsWith('10.')) return 'ua_identified'
  return ledger.broken === 'impostors_are_identified' ? 'ua_identified' : 'unknown'
}
