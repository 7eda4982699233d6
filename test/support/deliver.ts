/** Requests delivered as a live source delivers them: proved, stored as facts, and their day covered. */
import { DAY_MS } from '#clock.ts'
import { recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { storePendingAddresses } from '#crawlers/identity/prove-pending-addresses.ts'
import type { ProveRequest } from '#crawlers/identity/prover.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Fact } from '#intake/facts/fact.ts'
import { agentKey } from '#intake/facts/fact.ts'
import { storeFacts } from '#intake/facts/store-facts.ts'
import type { Site } from '#sites/site.ts'
import type { TestService } from './service.ts'

export interface Delivered extends Partial<Omit<ProveRequest, 'received_at'>> {
  user_agent: string
  /** How many requests of the kind; 1 by default. */
  requests?: number
  /** `/` by default. */
  path?: string
  /** 200 by default; 0: the response was not observed. */
  status?: number
  method?: string
  edge_action?: Fact['edge_action']
  precision?: Fact['precision']
}

let events = 0n

/**
 * Delivers requests of now, or of `at`, from attested addresses by default; the whole of their days counts as covered.
 * @param source eight hexadecimal digits, of a source of its own.
 */
export async function deliver(
  service: TestService,
  site: Site,
  delivered: readonly Delivered[],
  source = '50dace50',
): Promise<void> {
  const { crawlers, clock } = service
  const source_id = site.id.replace(/^......../, source)
  const delivery_id = site.id.replace(/^......../, 'de11de11')
  const received_at = clock.now()
  const agents = new Map<string, { agent_key: string; user_agent: string; proof: string }>()
  const facts = delivered.map(({ requests = 1, path = '/', status = 200, ...given }): Fact => {
    const { method = 'GET', edge_action = null, precision = 'exact', ...asked } = given
    const request: ProveRequest = {
      at: received_at,
      received_at,
      address: null,
      attested: true,
      verified_bot: null,
      signature_verified: false,
      ...asked,
    }
    const proof = crawlers.prover.prove(request)
    const agent_key = agentKey(request.user_agent, proof)
    agents.set(agent_key, { agent_key, user_agent: request.user_agent, proof })
    return {
      event: String(++events),
      at: request.at,
      precision,
      reading: 0,
      requests,
      provider_estimate: null,
      host: site.root_domain,
      path,
      path_fidelity: 'exact',
      path_class: 'content',
      status,
      status_raw: status,
      method,
      edge_action,
      user_agent: request.user_agent,
      agent_key,
    }
  })
  const days = [...new Set(facts.map((fact) => utcDay(fact.at)))]
  await crawlers.control.transaction(async (tx) => {
    await tx
      .insertInto('sources')
      .values({
        id: source_id,
        site_id: site.id,
        source_type: 'https_intake',
        name: source,
        connection_status: 'live',
        is_primary: 1,
        created_at: received_at,
        connected_at: received_at,
        data_through: received_at,
        has_statuses: 1,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ data_through: received_at }))
      .execute()
    for (const day of days) {
      await tx
        .insertInto('dirty_days')
        .values({ site_id: site.id, day, kind: 'crawlers', cause: delivery_id, state: 'written', marked: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })
  await storeFacts(crawlers, { site_id: site.id, source_id, delivery_id, received_at }, facts, [...agents.values()])
  await storePendingAddresses(crawlers)
  await crawlers.control.transaction((tx) =>
    recordCoverage(tx, {
      site_id: site.id,
      source_id,
      host: '*',
      quality: 'complete',
      reason: '',
      is_declared: 0,
      ranges: days.map((day) => ({ from: dayStart(day), to: dayStart(day) + DAY_MS, silence_limit_ms: 0 })),
    }),
  )
}
