/**
 * The names of a tracked brand as search patterns: names, aliases with their conditions, and domains (account API 4).
 */
import { domainToUnicode } from 'node:url'
import { isSubstringScript } from './boundaries.ts'
import { foldExactly, foldName } from './fold.ts'

/** One way of naming a brand. */
export interface TrackedName {
  text: string
  /** Counts only in this spelling, upper and lower case included. */
  is_exact?: boolean
  /** Words of which one, or a domain of the brand, must be named in the same answer. */
  company?: readonly string[]
}

/** The brand itself, or a competitor. */
export interface TrackedBrand {
  id: string
  names: readonly TrackedName[]
  /** In lower case and punycode; hosts below them count as well. */
  domains: readonly string[]
}

/** What a pattern of the automaton stands for. */
export interface NamePattern {
  folded: string
  /** As `folded`, and with case, for exact aliases; null: any spelling. */
  exact: string | null
  names: { brand: number; company: boolean }[]
  /** Brands of which this is a domain. */
  domains: number[]
  /** Brands of which this is a word of company. */
  keeps: number[]
  /** Whether its first and last character need no boundary. */
  is_free: { start: boolean; end: boolean }
}

/** Names, domains and words of company as patterns; one for each spelling, whichever names share it. */
export function readPatterns(brands: readonly TrackedBrand[]): NamePattern[] {
  const patterns = new Map<string, NamePattern>()
  const patternOf = (text: string, is_exact = false): NamePattern => {
    const [folded, exact] = [foldName(text.trim()), is_exact ? foldExactly(text.trim()) : null]
    const key = `${exact === null ? '' : exact}\n${folded}`
    const is_free = { start: isSubstringScript(firstOf(folded)), end: isSubstringScript(lastOf(folded)) }
    const pattern = patterns.get(key) ?? { folded, exact, names: [], domains: [], keeps: [], is_free }
    if (folded !== '') patterns.set(key, pattern)
    return pattern
  }
  for (const [brand, { names, domains }] of brands.entries()) {
    for (const { text, is_exact, company } of names) {
      patternOf(text, is_exact).names.push({ brand, company: company !== undefined })
      for (const word of company === undefined ? [] : company) patternOf(word).keeps.push(brand)
    }
    for (const domain of domains) {
      for (const spelling of new Set([domain, domainToUnicode(domain)])) patternOf(spelling).domains.push(brand)
    }
  }
  return [...patterns.values()]
}

const firstOf = (text: string): string => [...text].slice(0, 1).join('')
const lastOf = (text: string): string => [...text].slice(-1).join('')
