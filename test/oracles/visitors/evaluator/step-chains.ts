/** How far a session got in a funnel, step after step (rules 6, Funnels and ties; rules 6 `/collect`). */
import type { FunnelRevision, HeldStep } from './definitions.ts'
import type { Stored } from './evidence.ts'
import type { Rules } from './rules.ts'
import { matches, type Session } from './sessions.ts'

export interface Reach {
  /** Steps that were reached for sure. */
  steps: number
  /** Events of different requests at one millisecond could have come in an order that reaches more. */
  is_ambiguous: boolean
}

export function reachOf({ events }: Session, { steps }: Pick<FunnelRevision, 'steps'>, rules: Rules): Reach {
  if (!rules.steps_in_order) {
    const missing = steps.findIndex((step) => !events.some((event) => meets(event, step, rules)))
    return { steps: missing === -1 ? steps.length : missing, is_ambiguous: false }
  }
  const sure = longest(events, steps, rules, isSurelyBefore)
  return { steps: sure, is_ambiguous: longest(events, steps, rules, isPerhapsBefore) > sure }
}

/** Tries every chain of events that meets one step after the other. */
function longest(
  events: readonly Stored[],
  steps: readonly HeldStep[],
  rules: Rules,
  fits: (chain: readonly Stored[], next: Stored) => boolean,
): number {
  const extend = (chain: readonly Stored[]): number => {
    const step = steps[chain.length]
    if (step === undefined) return chain.length
    const nexts = events.filter((event) => meets(event, step, rules) && fits(chain, event))
    return Math.max(chain.length, ...nexts.map((event) => extend([...chain, event])))
  }
  return extend([])
}

const meets = (event: Stored, step: HeldStep, rules: Rules) =>
  matches(event, step.kind === 'page' ? { ...step, kind: 'pageview' } : step.conversion.matcher, rules)

function isSurelyBefore(chain: readonly Stored[], next: Stored): boolean {
  const last = chain.at(-1)
  return last === undefined || last.at < next.at || (last.request === next.request && last.order < next.order)
}

/** Within a request the order is known, and instants are. */
function isPerhapsBefore(chain: readonly Stored[], next: Stored): boolean {
  return chain.every(
    (earlier) =>
      earlier.at < next.at ||
      (earlier.at === next.at && earlier !== next && (earlier.request !== next.request || earlier.order < next.order)),
  )
}
