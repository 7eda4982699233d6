/** The lists of each day as one index: built when a day is first asked for, shared by days with the same versions. */
import { DAY_MS } from '#clock.ts'
import type { Address } from './address.ts'
import type { Ranges } from './address-ranges.ts'
import { indexLists, type ListIndex } from './list-index.ts'
import { isProxyList } from './lists/describe-lists.ts'
import { isInForce, type ListVersion } from './lists/list-versions.ts'
import { NOTHING_KNOWN, type ProofFacts, proofText } from './proof-facts.ts'
import { shippedProxies } from './proxy-networks.ts'

/** What a set of lists says of an address that all of them hold and no other list does. */
export interface SetFacts {
  facts: ProofFacts
  /** The proof text of an attested address of which nothing else is known. */
  text: string
  /** Codes of the vendors' lists that hold it. */
  codes: ReadonlySet<string>
  /** It is a trusted proxy's, or only networks of a CDN hold it: not the client's. */
  is_proxy: boolean
}

interface IndexedDay {
  index: ListIndex
  sets: SetFacts[]
}

/** A log may span any number of days; their indexes must not fill the memory. */
const MAX_INDEXES = 200

export class DayLists {
  readonly #versions: readonly ListVersion[]
  readonly #trusted: Ranges
  readonly #proxies = shippedProxies()
  readonly #byDay = new Map<number, IndexedDay>()
  readonly #byVersions = new Map<string, IndexedDay>()
  #lastDay = Number.NaN
  #last: IndexedDay | undefined

  /** Takes every version held, newest first, and the networks of trusted proxies. */
  constructor(versions: readonly ListVersion[], trusted: Ranges) {
    this.#trusted = trusted
    this.#versions = versions.filter((version) => !version.is_whole_as)
  }

  /** What the lists of that instant's UTC day say of an address. */
  find(at: number, address: Address): SetFacts {
    const day = Math.floor(at / DAY_MS)
    if (day !== this.#lastDay || this.#last === undefined) {
      this.#last = this.#ofDay(day)
      this.#lastDay = day
    }
    return this.#last.sets[this.#last.index.find(address)] as SetFacts
  }

  #ofDay(day: number): IndexedDay {
    const known = this.#byDay.get(day)
    if (known !== undefined) return known
    const inForce = this.#versions.filter((version) => isInForce(version, day * DAY_MS))
    const key = inForce.map((version) => version.id).join(' ')
    let indexed = this.#byVersions.get(key)
    if (indexed === undefined) {
      if (this.#byVersions.size >= MAX_INDEXES) {
        this.#byVersions.clear()
        this.#byDay.clear()
      }
      indexed = this.#build(inForce)
      this.#byVersions.set(key, indexed)
    }
    this.#byDay.set(day, indexed)
    return indexed
  }

  #build(inForce: readonly ListVersion[]): IndexedDay {
    const vendors = inForce.filter((version) => !isProxyList(version.list_id))
    const proxies = inForce.filter((version) => isProxyList(version.list_id))
    const listed = [...vendors, ...proxies].map((version) => version.ranges)
    const index = indexLists([...listed, this.#proxies, this.#trusted])
    const isTrusted = (members: readonly number[]) => members.at(-1) === listed.length + 1
    const held = [...new Set(vendors.map((version) => version.code))].sort()
    return { index, sets: index.sets.map((members) => factsOf(vendors, members, held, isTrusted(members))) }
  }
}

/** Of several versions of a list that hold the address, the newest is named: one witness is enough. */
function factsOf(
  vendors: readonly ListVersion[],
  members: readonly number[],
  held: readonly string[],
  is_trusted: boolean,
): SetFacts {
  const contained = new Map<string, string>()
  for (const member of members) {
    const version = vendors[member]
    if (version !== undefined && !contained.has(version.code)) contained.set(version.code, version.sha256)
  }
  const facts: ProofFacts = {
    ...NOTHING_KNOWN,
    attested: true,
    held,
    in: [...contained].map(([list, sha256]) => ({ list, sha256 })),
  }
  return {
    facts,
    text: proofText(facts),
    codes: new Set(contained.keys()),
    is_proxy: is_trusted || (contained.size === 0 && members.length > 0),
  }
}
