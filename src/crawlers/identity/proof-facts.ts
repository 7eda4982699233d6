/** Facts about a request's client, stored once as the text `proof` of its agent, and in its key (rules 4). */
import { createHash } from 'node:crypto'

export interface ProofFacts {
  /** The address is the client's: not of a proxy, not private, not truncated (rules 4). */
  attested: boolean
  /** Codes of the vendors' lists in force on the request's day; only for an attested address. */
  held: readonly string[]
  /** Lists that contained the address, each with the hash of one version in force that day that did. */
  in: readonly { list: string; sha256: string }[]
  /** The suffix of a forward-confirmed host name; `none`: no name of the address is confirmed. */
  rdns: { suffix: string } | 'none' | { pending: string } | null
  /** The verdict of the provider that delivered the record. */
  provider: { name: string; verdict: 'verified' } | null
  /** Web Bot Auth, as verified by the sender of the record. */
  signature: 'verified' | null
}

export const NOTHING_KNOWN: ProofFacts = {
  attested: false,
  held: [],
  in: [],
  rdns: null,
  provider: null,
  signature: null,
}

/**
 * The canonical text of facts: equal facts have equal text. It is '' without any fact, so that the key of such agents
 * depends on the user agent only. An attested address does not count as a fact if no list was stored.
 */
export function proofText(facts: ProofFacts): string {
  const { attested, rdns, provider, signature } = facts
  const held = attested ? [...facts.held].sort() : []
  const contained = attested ? [...facts.in].sort((a, b) => (a.list < b.list ? -1 : 1)) : []
  if (attested && held.length + contained.length === 0 && rdns === null && provider === null && signature === null)
    return ''
  return JSON.stringify({
    attested,
    ...(held.length === 0 ? {} : { held: held.join(' ') }),
    ...(contained.length === 0 ? {} : { in: contained.map(({ list, sha256 }) => ({ list, sha256 })) }),
    ...(rdns === null ? {} : { rdns }),
    ...(provider === null ? {} : { provider: { name: provider.name, verdict: provider.verdict } }),
    ...(signature === null ? {} : { signature }),
  })
}

/** The facts of a text of `proofText`; null for '', which means not checked. */
export function readProof(text: string): ProofFacts | null {
  if (text === '') return null
  const { held, ...known } = JSON.parse(text) as Partial<Omit<ProofFacts, 'held'>> & { held?: string }
  return { ...NOTHING_KNOWN, ...known, held: held === undefined ? [] : held.split(' ') }
}

/** The code of a list in facts. It is short, and the same in every installation: it is a hash of the list's id. */
export function listCode(listId: string): string {
  const known = codes.get(listId)
  if (known !== undefined) return known
  const code = createHash('sha256').update(listId).digest('hex').slice(0, 10)
  codes.set(listId, code)
  return code
}

const codes = new Map<string, string>()
