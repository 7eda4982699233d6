/**
 * Where parts of patterns stand in a long target. A file may hold 40,000 patterns, so a search through the target for
 * each would take seconds; a suffix automaton finds each part in the time of reading it (Blumer et al. 1985), whatever
 * the target holds.
 */

/** The first place from `from` on at which `part` stands; -1 when there is none. */
export type FindPlace = (part: string, from: number) => number

/** Makes a searcher of a text; takes time and memory in proportion to its length times its logarithm. */
export function indexPlaces(octets: string): FindPlace {
  const automaton = buildAutomaton(octets)
  const ends = collectEnds(automaton, octets.length)
  return (part, from) => {
    let state = ROOT
    for (let at = 0; at < part.length; at++) {
      state = step(automaton, state, part.charCodeAt(at))
      if (state === NONE) return -1
    }
    const end = ends.next(state, from + part.length - 1)
    return end === -1 ? -1 : end - part.length + 1
  }
}

const NONE = 0
const ROOT = 1

/**
 * States are numbers from 1; each stands for parts that end at the same places, and its link for shorter ends of them.
 */
interface SuffixAutomaton {
  /** Column of each octet in `steps`, from 1; 0 for octets that the text does not hold. */
  columns: Uint8Array
  width: number
  steps: Int32Array
  lengths: Int32Array
  links: Int32Array
  state_count: number
  /** The state of each beginning of the text, by its last place. */
  prefixes: Int32Array
}

function step({ columns, width, steps }: SuffixAutomaton, state: number, octet: number): number {
  return steps[state * width + (columns[octet] as number)] as number
}

function buildAutomaton(octets: string): SuffixAutomaton {
  const distinct = [...new Set(Buffer.from(octets, 'latin1'))]
  const columns = new Uint8Array(256)
  distinct.forEach((octet, index) => {
    columns[octet] = index + 1
  })
  const width = distinct.length + 1
  const most = 2 * octets.length + 2
  const steps = new Int32Array(most * width)
  const [lengths, links, prefixes] = [new Int32Array(most), new Int32Array(most), new Int32Array(octets.length)]
  let count = ROOT
  let last = ROOT
  for (let at = 0; at < octets.length; at++) {
    const column = columns[octets.charCodeAt(at)] as number
    const state = ++count
    lengths[state] = at + 1
    let walk = last
    for (; walk !== NONE && steps[walk * width + column] === NONE; walk = links[walk] as number)
      steps[walk * width + column] = state
    if (walk === NONE) links[state] = ROOT
    else {
      const next = steps[walk * width + column] as number
      const length = (lengths[walk] as number) + 1
      if (lengths[next] === length) links[state] = next
      else {
        const copy = ++count
        steps.copyWithin(copy * width, next * width, (next + 1) * width)
        lengths[copy] = length
        links[copy] = links[next] as number
        for (; walk !== NONE && steps[walk * width + column] === next; walk = links[walk] as number)
          steps[walk * width + column] = copy
        links[next] = copy
        links[state] = copy
      }
    }
    prefixes[at] = state
    last = state
  }
  return { columns, width, steps, lengths, links, state_count: count, prefixes }
}

/** The places at which the parts of each state end, as binary trees over [0, length) that share their branches. */
function collectEnds({ lengths, links, state_count, prefixes }: SuffixAutomaton, length: number) {
  const left = [NONE]
  const right = [NONE]
  const addNode = (l: number, r: number) => {
    left.push(l)
    right.push(r)
    return left.length - 1
  }
  const single = (place: number, from: number, to: number): number => {
    if (from === to) return addNode(NONE, NONE)
    const middle = (from + to) >> 1
    if (place <= middle) return addNode(single(place, from, middle), NONE)
    return addNode(NONE, single(place, middle + 1, to))
  }
  const merge = (a: number, b: number): number => {
    if (a === NONE || b === NONE) return a + b
    return addNode(merge(left[a] as number, left[b] as number), merge(right[a] as number, right[b] as number))
  }
  const trees = new Int32Array(state_count + 1)
  prefixes.forEach((state, place) => {
    trees[state] = single(place, 0, length - 1)
  })
  const longestFirst = Array.from({ length: state_count - ROOT }, (_, index) => index + ROOT + 1)
  longestFirst.sort((a, b) => (lengths[b] as number) - (lengths[a] as number))
  for (const state of longestFirst) {
    const link = links[state] as number
    // Every part ends somewhere; no request asks for the empty one.
    if (link !== ROOT) trees[link] = merge(trees[link] as number, trees[state] as number)
  }
  const firstFrom = (tree: number, from: number, to: number, least: number): number => {
    if (tree === NONE || to < least) return -1
    if (from === to) return from
    const middle = (from + to) >> 1
    const before = firstFrom(left[tree] as number, from, middle, least)
    return before === -1 ? firstFrom(right[tree] as number, middle + 1, to, least) : before
  }
  return { next: (state: number, least: number) => firstFrom(trees[state] as number, 0, length - 1, least) }
}
