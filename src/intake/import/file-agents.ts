/** The agents of a file: each distinct user agent is classified once (rules 4). */
import type { Registry } from '#crawlers/registry/classify.ts'
import { agentKey } from '../facts/fact.ts'
import { MAX_ALL_AGENTS, MAX_NEW_AGENTS, sharedAgentName } from '../facts/invented-agents.ts'

/** The most agents of a file, in characters, so that long ones count for more. */
const MAX_CHARACTERS_PER_FILE = 16_777_216
/** The size of the cache of classified agents. */
const MAX_CACHED = 50_000
const MAX_CACHED_CHARACTERS = 8_388_608
/** The most cached proofs of an agent. */
const MAX_PROOFS = 2_000
/** The most cached agents that only their provider marks as automated. */
const MAX_VOUCHED = 2_000
/** The characters of a user agent that are read; the rest is dropped. */
const MAX_AGENT_LENGTH = 1_024

export interface AgentLimits {
  agents: number
  characters: number
}

export interface FileAgent {
  user_agent: string
  /** The proof facts of its client (`proofText`). */
  proof: string
  /** 64-bit key of user agent and proof, decimal. */
  agent_key: string
  crawler_id: string | null
  /** False: a crawler that no answer counts. */
  is_counted: boolean
}

export class FileAgents {
  /** Days with too many agents, whose further agents share one. */
  readonly crowded_days = new Set<number>()
  readonly #registry: Registry
  readonly #judged = new Map<string, FileAgent | null>()
  readonly #proved = new WeakMap<FileAgent, Map<string, FileAgent>>()
  readonly #ofDay = new Map<number, Set<string>>()
  /** Agents that only their provider marks as automated. */
  readonly #vouched = new Map<string, FileAgent>()
  readonly #automated = new Map<string, FileAgent>()

  readonly #limits: AgentLimits
  #judged_characters = 0
  #characters = 0

  constructor(
    registry: Registry,
    limits: AgentLimits = { agents: MAX_ALL_AGENTS, characters: MAX_CHARACTERS_PER_FILE },
  ) {
    this.#registry = registry
    this.#limits = limits
  }

  /** The agent if it is automated; null: a human. Only the first 1,024 characters are read. */
  judge(agentText: string): FileAgent | null {
    const userAgent = agentText.length > MAX_AGENT_LENGTH ? agentText.slice(0, MAX_AGENT_LENGTH) : agentText
    const known = this.#judged.get(userAgent)
    if (known !== undefined) return known
    if (this.#judged.size >= MAX_CACHED || this.#judged_characters >= MAX_CACHED_CHARACTERS) {
      this.#judged.clear()
      this.#judged_characters = 0
    }
    this.#judged_characters += userAgent.length
    const judged = this.#registry.isAutomated(userAgent) ? this.#agent(userAgent) : null
    this.#judged.set(userAgent, judged)
    return judged
  }

  /** The agent of a request that its provider has verified as a bot's, whatever its name. */
  vouched(agentText: string): FileAgent {
    const judged = this.judge(agentText)
    if (judged !== null) return judged
    const userAgent = agentText.slice(0, MAX_AGENT_LENGTH)
    const agent = this.#vouched.get(userAgent) ?? this.#agent(userAgent)
    if (this.#vouched.size >= MAX_VOUCHED) this.#vouched.clear()
    this.#vouched.set(userAgent, agent)
    return agent
  }

  /** The same agent with the proof facts of a request's client. */
  proved(agent: FileAgent, proof: string): FileAgent {
    if (proof === '') return agent
    let known = this.#proved.get(agent)
    if (known === undefined) {
      known = new Map()
      this.#proved.set(agent, known)
    }
    const proved = known.get(proof) ?? { ...agent, proof, agent_key: agentKey(agent.user_agent, proof) }
    if (known.size >= MAX_PROOFS) known.clear()
    known.set(proof, proved)
    return proved
  }

  /** Whether all of these agents can be stored under their own names, with `others` further lines in any order. */
  takes(agents: readonly { agent: FileAgent; days: readonly number[] }[], others: number): boolean {
    const fresh = agents.filter(({ agent }) => !this.#automated.has(agent.agent_key)).length
    const characters = agents.reduce((sum, { agent }) => sum + agent.user_agent.length, others * MAX_AGENT_LENGTH)
    if (this.#automated.size + fresh + others > this.#limits.agents) return false
    if (this.#characters + characters > this.#limits.characters) return false
    return agents.every(({ days }) =>
      days.every((day) => this.#agentsOf(day).size + agents.length + others <= MAX_NEW_AGENTS),
    )
  }

  /**
   * The agent to store for a request of a day (since 1970): its own, or the shared one of a day with too many agents.
   */
  ofDay(agent: FileAgent, day: number): FileAgent {
    const agents = this.#agentsOf(day)
    if (!agents.has(agent.agent_key)) {
      if (agents.size >= MAX_NEW_AGENTS || this.#isOneTooMany(agent)) return this.#shared(agent, day)
      agents.add(agent.agent_key)
    }
    this.#keep(agent)
    return agent
  }

  /** The keys of the agents of a day that have their own names. */
  #agentsOf(day: number): Set<string> {
    const agents = this.#ofDay.get(day) ?? new Set<string>()
    this.#ofDay.set(day, agents)
    return agents
  }

  #isOneTooMany(agent: FileAgent): boolean {
    const { agents, characters } = this.#limits
    const is_full = this.#automated.size >= agents || this.#characters >= characters
    return is_full && !this.#automated.has(agent.agent_key)
  }

  #keep(agent: FileAgent): void {
    if (this.#automated.has(agent.agent_key)) return
    this.#automated.set(agent.agent_key, agent)
    this.#characters += agent.user_agent.length
  }

  /** Every agent that `ofDay` has returned. */
  stored(): FileAgent[] {
    return [...this.#automated.values()]
  }

  find(agentKey: string): FileAgent | undefined {
    return this.#automated.get(agentKey)
  }

  /** The shared agent. It keeps the crawler's token, so that requests still count for that crawler. */
  #shared(agent: FileAgent, day: number): FileAgent {
    this.crowded_days.add(day)
    const crawler = agent.crawler_id === null ? null : this.#registry.entry(agent.crawler_id)
    const shared = this.#agent(sharedAgentName(crawler))
    this.#keep(shared)
    return shared
  }

  #agent(userAgent: string): FileAgent {
    const entry = this.#registry.classify(userAgent)
    return {
      user_agent: userAgent,
      proof: '',
      agent_key: agentKey(userAgent),
      crawler_id: entry === null ? null : entry.crawler_id,
      is_counted: entry === null || this.#registry.counts(entry),
    }
  }
}
