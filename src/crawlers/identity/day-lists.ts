/** One index of the lists of each day. It is built when it is first needed; days with the same versions share it. */
import { DAY_MS } from '#clock.ts'
import type { Address } from './address.ts'
import type { Ranges } from './address-ranges.ts'
import { indexLists, type ListIndex } from './list-index.ts'
import { isProxyList } from './lists/describe-lists.ts'
import { isInForce, type ListVersion } from './lists/list-versions.ts'
import { NOTHING_KNOWN, type ProofFacts, proofText } from './proof-facts.ts'
import { shippedProxies } from './proxy-networks.ts'

/** The facts about an address that is in exactly these lists. */
export interface SetFacts {
  facts: ProofFacts
  /** The proof text of an attested address without further facts. */
  text: string
  /** Codes of the vendors' lists that contain it. */
  codes: ReadonlySet<string>
  /** It is of a trusted proxy, or only of networks of a CDN: not the client's address. */
  is_proxy: boolean
}

interface IndexedDay {
  index: ListIndex
  sets: SetFacts[]
}

/** The most indexes in memory: a log may have any number of days. */
const MAX_INDEXES = 200

export class DayLists {
  readonly #versions: readonly ListVersion[]
  readonly #trusted: Ranges
  readonly #proxies = shippedProxies()
  readonly #byDay = new Map<number, IndexedDay>()
  readonly #byVersions = new Map<string, IndexedDay>()
  #lastDay = Number.NaN
  #last: IndexedDay | undefined

  /** Sets every stored version, newest first, and the networks of trusted proxies. */
  constructor(versions: readonly ListVersion[], trusted: Ranges) {
    this.#trusted = trusted
    this.#versions = versions.filter((version) => !version.is_whole_as)
  }

  /** The facts about an address by the lists of the UTC day of an instant, epoch milliseconds. */
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

/** The facts of a set of lists. Of several versions of a list that contain the address, only the newest is named. */
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
