/** Resolves ties: events of the same millisecond in different requests, whose order is unknown (rules 6). */

/** An event that meets steps: its instant, its request, and the steps as bits. */
export interface Hit {
  at: number
  request: string
  steps: number
}

export interface FunnelReach {
  /** The steps that were certainly passed: no two of them depend on the order of tied events. */
  certain: number
  /** The steps that were passed if the tied events were in the best order. */
  possible: number
}

/** The most orders of one instant that are tried. If there are more, every step counts as possible. */
const MAX_ATTEMPTS = 10_000

/** The steps that the hits of one session, in stored order, reach. One event passes at most one step. */
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

/** The steps reached within one request, whose order is known: the first event that meets the next step passes it. */
function walk(request: readonly number[], reached: number): number {
  return request.reduce((step, met) => (((met >> step) & 1) === 1 ? step + 1 : step), reached)
}

/** The most steps that any order of events reaches that keeps the order within each request. */
function bestOrder(requests: readonly (readonly number[])[], reached: number, step_count: number): number {
  let attempts = 0
  const search = (step: number, next: readonly number[]): number => {
    let best = step
    for (let at = 0; at < requests.length && best < step_count; at++) {
      if (++attempts > MAX_ATTEMPTS) return step_count
      const request = requests[at] as readonly number[]
      // Within one request, the earliest matching event leaves the most events for later steps.
      const found = request.findIndex((met, place) => place >= (next[at] as number) && ((met >> step) & 1) === 1)
      if (found === -1) continue
      best = Math.max(best, search(step + 1, next.with(at, found + 1)))
    }
    return best
  }
  const start = requests.map(() => 0)
  return search(reached, start)
}
