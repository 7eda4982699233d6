/** Judges a claim by the stored facts about its client, again for each registry version (decisions 3.3). */
import type { Identity } from '#contract/vocabulary.ts'
import type { Registry } from '../registry/classify.ts'
import type { RegistryEntry } from '../registry/document.ts'
import { mayHoldSuffix, provesSuffix, provingSuffixes } from './host-name-suffixes.ts'
import { listCode, type ProofFacts } from './proof-facts.ts'

/** The result of checking a claim. Only `failed` refutes it. */
export type ProofOutcome = 'verified' | 'failed' | 'unverifiable' | 'not_checked'

export interface Verdict {
  outcome: ProofOutcome
  /** `unknown` is a refuted claim: an impostor. */
  identity: Identity
}

/**
 * Judges the claim of a user agent. The vendor's published networks prove or refute it. The verdict of the provider, or
 * a signature that the sender verified, is weaker than a proof and stronger than a refutation, because the provider saw
 * the connection.
 */
export function judgeClaim(registry: Registry, entry: RegistryEntry, facts: ProofFacts | null): Verdict {
  const outcome = judgeAddress(registry, entry, facts)
  if (outcome === 'verified') return { outcome, identity: 'network_verified' }
  if (facts !== null && (facts.provider !== null || facts.signature !== null)) {
    return { outcome: 'verified', identity: 'provider_verified' }
  }
  return { outcome, identity: outcome === 'failed' ? 'unknown' : 'ua_identified' }
}

/** Checks a claim by the vendor's networks alone. */
export function judgeAddress(registry: Registry, entry: RegistryEntry, facts: ProofFacts | null): ProofOutcome {
  const own = ownList(entry)
  const suffixes = provingSuffixes(entry)
  // The vendor publishes no networks, or the program runs on users' machines: its address proves nothing.
  if (own === null && suffixes.length === 0) return 'unverifiable'
  if (facts === null) return 'not_checked'
  if (!facts.attested) return facts.provider === null && facts.signature === null ? 'unverifiable' : 'not_checked'
  const confirmed =
    facts.rdns !== null && typeof facts.rdns === 'object' && 'suffix' in facts.rdns ? facts.rdns.suffix : null
  if (own !== null && facts.in.some(({ list }) => list === own)) return 'verified'
  if (confirmed !== null && suffixes.some((suffix) => provesSuffix(confirmed, suffix))) return 'verified'
  if (own === null) {
    if (facts.rdns === 'none') return 'failed'
    if (confirmed === null || suffixes.some((suffix) => mayHoldSuffix(confirmed, suffix))) return 'not_checked'
    return 'failed'
  }
  if (!facts.held.includes(own)) return 'not_checked'
  // An address in another list of the vendor is in the vendor's own network: it neither refutes nor proves the claim.
  const vendors = vendorLists(registry, entry)
  return facts.in.some(({ list }) => vendors.has(list)) ? 'unverifiable' : 'failed'
}

/** The code of the list that an entry names; null if its vendor publishes none. */
export function ownList(entry: RegistryEntry): string | null {
  const url = entry.verification.ip_ranges_url
  return url === null ? null : listCode(url)
}

/** Codes of all lists that a registry names for the vendor of an entry. */
function vendorLists(registry: Registry, entry: RegistryEntry): ReadonlySet<string> {
  let byPlatform = known.get(registry)
  if (byPlatform === undefined) {
    byPlatform = new Map()
    for (const { platform, verification } of registry.entries) {
      if (platform === null || verification.ip_ranges_url === null) continue
      const lists = byPlatform.get(platform) ?? new Set<string>()
      byPlatform.set(platform, lists.add(listCode(verification.ip_ranges_url)))
    }
    known.set(registry, byPlatform)
  }
  return (entry.platform === null ? undefined : byPlatform.get(entry.platform)) ?? NONE
}

const known = new WeakMap<Registry, Map<string, Set<string>>>()
const NONE: ReadonlySet<string> = new Set()
