/** Proof of one request's client, made while the request is stored and before its address is forgotten (rules 4). */
import type { BlockList } from 'node:net'
import { type Clock, DAY_MS } from '#clock.ts'
import { readSetting } from '#control/settings.ts'
import type { ControlStore } from '#control/store.ts'
import type { Registry } from '../registry/classify.ts'
import { addressText, emptyAddress, isCut, isPrivate, parseAddress } from './address.ts'
import { DayLists, type SetFacts } from './day-lists.ts'
import { ownList } from './judge.ts'
import { type ListVersion, readListVersions } from './lists/in-force.ts'
import { LISTS_REVISION } from './lists/keep.ts'
import { NameBook } from './name-book.ts'
import { NOTHING_KNOWN, type ProofFacts, proofText } from './proof.ts'
import { networksOf } from './proxies.ts'
import { provingSuffixes } from './suffixes.ts'

export interface ProveRequest {
  /** When the client asked, and when the service learned of it; epoch milliseconds. */
  at: number
  received_at: number
  user_agent: string
  /** As the record tells it, perhaps with a port; null when it tells none. */
  address: string | null
  /** The connection's peer, or the right-most forwarding entry that is no trusted proxy (rules 4). */
  attested: boolean
  /** The verdict of the provider whose dialect this is, or of a token's sender; never a logged header. */
  verified_bot: { provider: string } | null
  signature_verified: boolean
}

export interface Prover {
  /** The proof text of a request, 500,000 a second and more over all lists; keeps no address but those that wait for their names. */
  prove(request: ProveRequest): string
  /** Takes in lists and a registry that have changed; cheap when none has. */
  refresh(): Promise<void>
  /** Addresses whose names are to be asked for, and what is known of others. */
  readonly names: NameBook
}

export interface ProverContext {
  clock: Clock
  control: ControlStore
  registries: { current(): Promise<Registry> }
}

/** Most user agents whose claims are remembered. */
const REMEMBERED = 50_000
const MOST_PROVIDER_CHARACTERS = 64

const UNATTESTED: ProofFacts = NOTHING_KNOWN
const UNATTESTED_TEXT = proofText(UNATTESTED)

interface Claim {
  own: string | null
  has_names: boolean
}

const NO_CLAIM: Claim = { own: null, has_names: false }

export interface ProverOptions {
  /** False, as under a simulated clock: no address waits for its names. */
  asks_names: boolean
  /** Addresses of trusted proxies are nobody's own. */
  trusted_proxies: BlockList
}

/** Makes a prover that knows nothing until its first `refresh` and proves nothing by then. */
export function makeProver(ctx: ProverContext, { asks_names, trusted_proxies }: ProverOptions): Prover {
  const trusted = networksOf(trusted_proxies)
  let revision: string | null | undefined
  let versions = new Map<string, ListVersion>()
  let lists = new DayLists([], trusted)
  let registry: Registry | undefined
  const claims = new Map<string, Claim>()
  const names = new NameBook(ctx.clock)
  const scratch = emptyAddress()

  const claimOf = (userAgent: string): Claim => {
    const known = claims.get(userAgent)
    if (known !== undefined) return known
    if (claims.size >= REMEMBERED) claims.clear()
    const entry = registry?.classify(userAgent)
    const claim =
      entry === null || entry === undefined
        ? NO_CLAIM
        : { own: ownList(entry), has_names: provingSuffixes(entry).length > 0 }
    claims.set(userAgent, claim)
    return claim
  }

  /** Names are asked for only when a vendor publishes suffixes, no list has proved the claim, and the request is under a day old. */
  const rdnsOf = (request: ProveRequest, set: SetFacts): ProofFacts['rdns'] => {
    if (!asks_names || request.received_at - request.at >= DAY_MS) return null
    const { own, has_names } = claimOf(request.user_agent)
    if (!has_names || (own !== null && set.codes.has(own))) return null
    return names.find(addressText(scratch), request)
  }

  const refresh = async () => {
    const current = await ctx.registries.current()
    if (current !== registry) {
      registry = current
      claims.clear()
    }
    const now = await readSetting(ctx.control.db, LISTS_REVISION)
    if (now === revision) return
    const read = await readListVersions(ctx, versions)
    versions = new Map(read.map((version) => [version.id, version]))
    lists = new DayLists(read, trusted)
    revision = now
  }

  return {
    names,
    refresh,
    prove(request) {
      const { address, verified_bot, signature_verified } = request
      const vouched = verified_bot !== null || signature_verified
      const is_address = address !== null && parseAddress(address, scratch)
      if (!is_address && !vouched) return ''
      if (!is_address || !request.attested || isPrivate(scratch) || isCut(scratch)) {
        return vouched ? vouchedText(UNATTESTED, null, request) : UNATTESTED_TEXT
      }
      const set = lists.find(request.at, scratch)
      if (set.is_proxy) return vouched ? vouchedText(UNATTESTED, null, request) : UNATTESTED_TEXT
      const rdns = rdnsOf(request, set)
      return rdns === null && !vouched ? set.text : vouchedText(set.facts, rdns, request)
    },
  }
}

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
        : { name: verified_bot.provider.slice(0, MOST_PROVIDER_CHARACTERS), verdict: 'verified' },
    signature: signature_verified ? 'verified' : null,
  })
}
