/** What is known of a request's client: stored once as the text `proof` of its agent, and in its key (rules 4). */
import { createHash } from 'node:crypto'

export interface ProofFacts {
  /** The address was really the client's: neither a proxy's, nor private, nor cut (rules 4). */
  attested: boolean
  /** Codes of the vendors' lists in force on the request's day; only kept for an attested address. */
  held: readonly string[]
  /** Lists that contained the address, each with the hash of one version in force that day that did. */
  in: readonly { list: string; sha256: string }[]
  /** The suffix under which reverse DNS was forward-confirmed; `none`: the names of the address confirm nothing. */
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
 * The canonical text of facts: equal facts have equal text. '' when nothing is known, so that such agents keep the key
 * of their user agent alone; an attested address alone says nothing when no list was held.
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

/** The facts of a text that `proofText` wrote; null for '', which is: not checked. */
export function readProof(text: string): ProofFacts | null {
  if (text === '') return null
  const { held, ...known } = JSON.parse(text) as Partial<Omit<ProofFacts, 'held'>> & { held?: string }
  return { ...NOTHING_KNOWN, ...known, held: held === undefined ? [] : held.split(' ') }
}

/** A list's code in facts: short, and the same in every installation, because it derives from the list's id. */
export function listCode(listId: string): string {
  const known = codes.get(listId)
  if (known !== undefined) return known
  const code = createHash('sha256').update(listId).digest('hex').slice(0, 10)
  codes.set(listId, code)
  return code
}

const codes = new Map<string, string>()
