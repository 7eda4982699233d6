/** The path and query that rules are matched with. */
import { normaliseTarget, octetsOf } from './octets.ts'
import { type FindPlace, indexPlaces } from './places.ts'

export interface RobotsTarget {
  /** Normalised octets (octets.ts). */
  readonly octets: string
  readonly find: FindPlace
}

/** Up to this length a plain search costs less than an index, even for the 40,000 patterns that a file can hold. */
const MAX_UNINDEXED_LENGTH = 256

/** A target from a URL's path and query, as text; without a leading slash it is a path below `/`. */
export function robotsTarget(pathAndQuery: string): RobotsTarget {
  const octets = normaliseTarget(octetsOf(pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`))
  if (octets.length <= MAX_UNINDEXED_LENGTH) return { octets, find: (part, from) => octets.indexOf(part, from) }
  let indexed: FindPlace | null = null
  return {
    octets,
    find(part, from) {
      if (part.length > octets.length - from) return -1
      indexed ??= indexPlaces(octets)
      return part === '' ? from : indexed(part, from)
    },
  }
}
