/** Proves the client of one request by the lists and names in memory (rules 4). */
import { DAY_MS } from '#clock.ts'
import type { Registry } from '../registry/classify.ts'
import { type Address, addressText, emptyAddress, isPrivate, isTruncated, parseAddress } from './address.ts'
import type { Ranges } from './address-ranges.ts'
import { DayLists, type SetFacts } from './day-lists.ts'
import { provingSuffixes } from './host-name-suffixes.ts'
import { ownList } from './judge-claim.ts'
import type { ListVersion } from './lists/list-versions.ts'
import { NOTHING_KNOWN, type ProofFacts, proofText } from './proof-facts.ts'
import type { NameCache } from './reverse-dns-answers.ts'

export interface ProveRequest {
  /** The time of the request, and of its receipt by the service; epoch milliseconds. */
  at: number
  received_at: number
  user_agent: string
  /** The address of the record, perhaps with a port, or parsed; null if the record has none. */
  address: string | Address | null
  /** The connection's peer, or the right-most forwarding entry that is not a trusted proxy (rules 4). */
  attested: boolean
  /** The verdict of the provider whose dialect this is, or of a token's sender; never a logged header. */
  verified_bot: { provider: string } | null
  signature_verified: boolean
}

/** Finds the names of addresses. */
export type Names = Pick<NameCache, 'find'>

/**
 * Returns the proof text of a request, over 500,000 per second. It keeps only addresses whose names are pending.
 * `names` replaces the names that it was made with.
 */
export type Prove = (request: ProveRequest, names?: Names) => string

/** The networks for proofs. It is a new object whenever one of them has changed. */
export interface HeldLists {
  /** Every stored version, newest first. */
  versions: readonly ListVersion[]
  /** The trusted proxies of the configuration. */
  trusted: Ranges
}

/** The most user agents whose claims are cached. */
const MAX_CACHED_CLAIMS = 50_000
const MAX_PROVIDER_CHARACTERS = 64

const UNATTESTED: ProofFacts = NOTHING_KNOWN
const UNATTESTED_TEXT = proofText(UNATTESTED)

interface Claim {
  own: string | null
  has_names: boolean
}

const NO_CLAIM: Claim = { own: null, has_names: false }

/** Makes a `Prove` from a registry (null before one is loaded), the stored lists, and names (null: no names). */
export function proveBy(registry: Registry | null, held: HeldLists, names: Names | null): Prove {
  const lists = new DayLists(held.versions, held.trusted)
  const claims = new Map<string, Claim>()
  const parsed = emptyAddress()

  const claimOf = (userAgent: string): Claim => {
    const known = claims.get(userAgent)
    if (known !== undefined) return known
    if (claims.size >= MAX_CACHED_CLAIMS) claims.clear()
    const entry = registry?.classify(userAgent)
    const claim =
      entry === null || entry === undefined
        ? NO_CLAIM
        : { own: ownList(entry), has_names: provingSuffixes(entry).length > 0 }
    claims.set(userAgent, claim)
    return claim
  }

  /** Needs names if the vendor publishes suffixes, no list proved the claim, and the request is under a day old. */
  const rdnsOf = (
    request: ProveRequest,
    address: Address,
    set: SetFacts,
    others: Names | undefined,
  ): ProofFacts['rdns'] => {
    if (names === null || request.received_at - request.at >= DAY_MS) return null
    const { own, has_names } = claimOf(request.user_agent)
    if (!has_names || (own !== null && set.codes.has(own))) return null
    return (others ?? names).find(addressText(address), request)
  }

  return (request, others) => {
    const { verified_bot, signature_verified } = request
    const vouched = verified_bot !== null || signature_verified
    const address = addressOf(request, parsed)
    if (address === null && !vouched) return ''
    if (address === null || !request.attested || isPrivate(address) || isTruncated(address)) {
      return vouched ? vouchedText(UNATTESTED, null, request) : UNATTESTED_TEXT
    }
    const set = lists.find(request.at, address)
    if (set.is_proxy) return vouched ? vouchedText(UNATTESTED, null, request) : UNATTESTED_TEXT
    const rdns = rdnsOf(request, address, set, others)
    return rdns === null && !vouched ? set.text : vouchedText(set.facts, rdns, request)
  }
}

/** The address of a request; an address as text is parsed into `into`. Null if there is none. */
function addressOf({ address }: ProveRequest, into: Address): Address | null {
  if (typeof address !== 'string') return address
  return parseAddress(address, into) ? into : null
}

/** A `Prove` that stores no address: it returns null for a request whose address needs its names. */
export function proveWithoutNames(prove: Prove): (request: ProveRequest) => string | null {
  let is_asked = false
  const names: Names = {
    find() {
      is_asked = true
      return null
    },
  }
  return (request) => {
    is_asked = false
    const proof = prove(request, names)
    return is_asked ? null : proof
  }
}

/** For a prover that is used without names only. */
export const NO_NAMES: Names = { find: () => null }

function vouchedText(
  facts: ProofFacts,
  rdns: ProofFacts['rdns'],
  { verified_bot, signature_verified }: ProveRequest,
): string {
  return proofText({
    ...facts,
    rdns,
    provider:
      verified_bot === null
        ? null
        : { name: verified_bot.provider.slice(0, MAX_PROVIDER_CHARACTERS), verdict: 'verified' },
    signature: signature_verified ? 'verified' : null,
  })
}
