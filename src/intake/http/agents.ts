/** Which agents deliveries hold: a user agent is judged once, and made-up ones cannot fill the store (rules 4). */
import Type from 'typebox'
import { utcDay } from '#clock.ts'
import type { Registry } from '#crawlers/registry/classify.ts'
import { day, rows, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { FactAgent } from '../facts/fact.ts'
import { agentKey } from '../import/agents.ts'

/** Past this many agents a site and day, further ones share one (rules 4). */
const MOST_AGENTS_A_DAY = 10_000
const MOST_JUDGED = 50_000
const MOST_AGENTS = 100_000
const MOST_DAYS = 64

/** Judges user agents by one registry version. */
export class Judge {
  readonly registry: Registry
  readonly #automated = new Map<string, boolean>()
  readonly #agents = new Map<string, FactAgent>()

  constructor(registry: Registry) {
    this.registry = registry
  }

  /** Whether a registry token or a sign of automation names the agent. */
  isAutomated(userAgent: string): boolean {
    const known = this.#automated.get(userAgent)
    if (known !== undefined) return known
    if (this.#automated.size >= MOST_JUDGED) this.#automated.clear()
    const judged = this.registry.isAutomated(userAgent)
    this.#automated.set(userAgent, judged)
    return judged
  }

  /** One user agent together with its proof facts. */
  agent(userAgent: string, proof: string): FactAgent {
    const name = proof === '' ? userAgent : `${userAgent}\0${proof}`
    const known = this.#agents.get(name)
    if (known !== undefined) return known
    if (this.#agents.size >= MOST_AGENTS) this.#agents.clear()
    const agent = { agent_key: agentKey(userAgent.toWellFormed(), proof), user_agent: userAgent, proof }
    this.#agents.set(name, agent)
    return agent
  }

  /** What the agents past the most of a day share; a crawler's keep its token in their name, so that its requests stay its own. */
  shared(userAgent: string): FactAgent {
    const token = this.registry.classify(userAgent)?.user_agent_tokens[0]
    return this.agent(token === undefined ? ':other' : `:other ${token}`, '')
  }
}

/** The agents of one day of one site, up to the most. */
export class AgentsOfDay {
  readonly #keys: Set<string>

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys)
  }

  /** False when the agent is one too many. */
  admit({ agent_key }: FactAgent): boolean {
    if (this.#keys.has(agent_key)) return true
    if (this.#keys.size >= MOST_AGENTS_A_DAY) return false
    this.#keys.add(agent_key)
    return true
  }
}

const Key = Type.Object({ agent_key: Type.String() })

const agentsOfDay = (siteId: string, text: string) => rows(Key)`
  SELECT DISTINCT toString(agent_key) AS agent_key FROM spoor.requests
  WHERE site_id = ${uuid(siteId)} AND day = ${day(text)}
  ORDER BY agent_key LIMIT 10000`

/** The days that deliveries are about, the oldest known forgotten first. */
export class DaysOfAgents {
  readonly #evidence: EvidenceStore
  readonly #days = new Map<string, AgentsOfDay>()

  constructor(evidence: EvidenceStore) {
    this.#evidence = evidence
  }

  async open(siteId: string, at: number): Promise<AgentsOfDay> {
    const text = utcDay(at)
    const name = `${siteId} ${text}`
    const known = this.#days.get(name)
    if (known !== undefined) return known
    const stored = await this.#evidence.all(agentsOfDay(siteId, text))
    // Another delivery may have opened the same day meanwhile.
    const opened = this.#days.get(name) ?? new AgentsOfDay(stored.map((row) => row.agent_key))
    for (const oldest of this.#days.keys()) {
      if (this.#days.size < MOST_DAYS) break
      this.#days.delete(oldest)
    }
    this.#days.set(name, opened)
    return opened
  }
}
