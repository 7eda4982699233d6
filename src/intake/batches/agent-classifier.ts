/** Classifies the agents of deliveries, each user agent once, and bounds the number of stored ones (rules 4). */
import type { Registry } from '#crawlers/registry/classify.ts'
import { agentKey, agentPart, type FactAgent } from '../facts/fact.ts'
import { MAX_ALL_AGENTS, MAX_NEW_AGENTS, sharedAgentName } from '../facts/invented-agents.ts'

const MAX_CLASSIFIED = 50_000
const MAX_DAYS = 64

/** An agent with the part of a row that contains it. */
export interface ClassifiedAgent extends FactAgent {
  /** User agent and key as a part of a row. */
  part: string
}

interface AgentVerdict {
  is_automated: boolean
  /** The agent without proof facts, once it was needed. */
  bare: ClassifiedAgent | null
}

/** Classifies user agents by one registry version, each once. */
export class AgentClassifier {
  readonly registry: Registry
  readonly #judged = new Map<string, AgentVerdict>()
  readonly #proven = new Map<string, ClassifiedAgent>()

  constructor(registry: Registry) {
    this.registry = registry
  }

  /** Whether a registry token or a sign of automation names the agent. */
  isAutomated(userAgent: string): boolean {
    return this.#judge(userAgent).is_automated
  }

  /** One user agent together with its proof facts. */
  agent(userAgent: string, proof: string): ClassifiedAgent {
    if (proof === '') {
      const judged = this.#judge(userAgent)
      judged.bare ??= knownAgent(userAgent, '')
      return judged.bare
    }
    const name = `${userAgent}\0${proof}`
    const known = this.#proven.get(name)
    if (known !== undefined) return known
    if (this.#proven.size >= MAX_ALL_AGENTS) this.#proven.clear()
    const agent = knownAgent(userAgent, proof)
    this.#proven.set(name, agent)
    return agent
  }

  /**
   * The shared agent of those beyond the limit of a day. It keeps the crawler's token, whose requests it still counts.
   */
  shared(userAgent: string): ClassifiedAgent {
    return this.agent(sharedAgentName(this.registry.classify(userAgent)), '')
  }

  #judge(userAgent: string): AgentVerdict {
    const known = this.#judged.get(userAgent)
    if (known !== undefined) return known
    if (this.#judged.size >= MAX_CLASSIFIED) this.#judged.clear()
    const judged: AgentVerdict = { is_automated: this.registry.isAutomated(userAgent), bare: null }
    this.#judged.set(userAgent, judged)
    return judged
  }
}

function knownAgent(user_agent: string, proof: string): ClassifiedAgent {
  const agent_key = agentKey(user_agent.toWellFormed(), proof)
  return { agent_key, user_agent, proof, part: agentPart({ user_agent, agent_key }) }
}

/** The agents of a site's day, up to the limit. */
export class AgentsOfDay {
  readonly #keys: Set<string>
  /** The admitted agents by object, because that look-up is faster. */
  readonly #admitted = new WeakSet<FactAgent>()

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys)
  }

  /** Adds an agent; false: it would exceed the limit. */
  admit(agent: FactAgent): boolean {
    if (this.#admitted.has(agent)) return true
    if (!this.#keys.has(agent.agent_key)) {
      if (this.#keys.size >= MAX_NEW_AGENTS) return false
      this.#keys.add(agent.agent_key)
    }
    this.#admitted.add(agent)
    return true
  }
}

/** The agents of the days of deliveries; the oldest days are dropped first. */
export class DaysOfAgents {
  readonly #days = new Map<string, AgentsOfDay>()

  /** The agents of a site's day (days since the epoch); `ask` reads the stored ones. */
  async open(site_id: string, day: number, ask: () => Promise<Iterable<string>>): Promise<AgentsOfDay> {
    const name = `${site_id} ${day}`
    const known = this.#days.get(name)
    if (known !== undefined) return known
    const stored = await ask()
    // Another delivery may have opened the same day first.
    const opened = this.#days.get(name) ?? new AgentsOfDay(stored)
    for (const oldest of this.#days.keys()) {
      if (this.#days.size < MAX_DAYS) break
      this.#days.delete(oldest)
    }
    this.#days.set(name, opened)
    return opened
  }
}
