/** Sessions whose events have no known order: tied at a millisecond and sent in different requests (rules 6). */

/** An event that some step may take: its instant, its request, and the steps that it meets, as bits from 0. */
export interface Hit {
  at: number
  request: string
  steps: number
}

export interface FunnelReach {
  /** Steps that were passed for certain: no two of them rest on a tied pair. */
  certain: number
  /** Steps that could have been passed, had the tied events come in the best order. */
  possible: number
}

/** How many orders of one instant are tried; beyond them the order counts as one that reaches every step. */
const MAX_ATTEMPTS = 10_000

/** Hits of one session in persisted order, against a funnel of so many steps. One event passes one step at most. */
export function stepsReached(hits: readonly Hit[], step_count: number): FunnelReach {
  let certain = 0
  let possible = 0
  for (const tied of instants(hits)) {
    const requests = [...Map.groupBy(tied, (hit) => hit.request).values()].map((group) => group.map((hit) => hit.steps))
    const before = certain
    for (const request of requests) certain = Math.max(certain, walk(request, before))
    possible =
      requests.length === 1 ? walk(requests[0] as number[], possible) : bestOrder(requests, possible, step_count)
  }
  return { certain, possible }
}

function instants(hits: readonly Hit[]): Hit[][] {
  const groups: Hit[][] = []
  for (const hit of hits) {
    const last = groups.at(-1)
    if (last !== undefined && last[0]?.at === hit.at) last.push(hit)
    else groups.push([hit])
  }
  return groups
}

/** The order within a request is known: the earliest event that meets the next step passes it. */
function walk(request: readonly number[], reached: number): number {
  return request.reduce((step, met) => (((met >> step) & 1) === 1 ? step + 1 : step), reached)
}

/** The most steps that any order of the requests' events reaches which keeps the order within each. */
function bestOrder(requests: readonly (readonly number[])[], reached: number, step_count: number): number {
  let attempts = 0
  const search = (step: number, next: readonly number[]): number => {
    let best = step
    for (let at = 0; at < requests.length && best < step_count; at++) {
      if (++attempts > MAX_ATTEMPTS) return step_count
      const request = requests[at] as readonly number[]
      // Within one request the earliest event that will do leaves the most to the later steps.
      const found = request.findIndex((met, place) => place >= (next[at] as number) && ((met >> step) & 1) === 1)
      if (found === -1) continue
      best = Math.max(best, search(step + 1, next.with(at, found + 1)))
    }
    return best
  }
  const start = requests.map(() => 0)
  return search(reached, start)
}
