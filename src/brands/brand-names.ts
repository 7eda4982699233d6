/** The names of brands and competitors: a name, aliases, and domains. */
import { quoted } from '#foreign-text.ts'
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { rootDomain } from '#sites/root-domain.ts'
import type { TrackedName } from './mentions/name-patterns.ts'

const MAX_ALIASES = 50
const MAX_DOMAINS = 50
const MAX_COMPANY = 20

/** The conditions under which an alias counts (account API 4). */
export interface AliasRule {
  alias: string
  /** It counts only in exactly this spelling, including upper and lower case. */
  is_exact: boolean
  /** One of these words, or a domain of the brand, must be in the same text; null: the alias counts alone. */
  company: readonly string[] | null
}

/** An alias as callers send it; an alias without conditions is a text. */
export type GivenAlias = string | { alias: string; is_exact?: boolean; company?: readonly string[] | null }

export interface GivenNames {
  name: string
  aliases: readonly GivenAlias[]
  domains: readonly string[]
}

export interface BrandNames {
  name: string
  aliases: readonly string[]
  /** The conditions of aliases that have some. */
  alias_rules: readonly AliasRule[]
  domains: readonly string[]
}

/**
 * Names in the form in which they are stored: aliases without repeats and without the name itself, domains in lower
 * case and punycode. An alias that is given twice has the conditions of both.
 * @throws Refusal invalid_input.
 */
export function readBrandNames(given: GivenNames, what: string): BrandNames {
  const name = checkName(given.name, what)
  const aliases = new Map<string, AliasRule>()
  for (const each of given.aliases) {
    const rule = readAlias(each, what)
    const known = aliases.get(rule.alias)
    aliases.set(rule.alias, known === undefined ? rule : merged(known, rule))
  }
  refuseRuleOfName(aliases.get(name))
  aliases.delete(name)
  const domains = new Set(given.domains.map(rootDomain))
  refuseMany([...aliases], MAX_ALIASES, 'aliases')
  refuseMany([...domains], MAX_DOMAINS, 'domains')
  const alias_rules = [...aliases.values()].filter(isRule)
  for (const rule of alias_rules) refuseNoCompany(rule, domains.size)
  return { name, aliases: [...aliases.keys()], alias_rules, domains: [...domains] }
}

/** Stored aliases in the form in which callers send them. */
export const givenAliases = ({ aliases, alias_rules }: Pick<BrandNames, 'aliases' | 'alias_rules'>): GivenAlias[] =>
  aliases.map((alias) => alias_rules.find((rule) => rule.alias === alias) ?? alias)

/** All names in the form that texts are searched for. */
export function trackedNames({ name, ...kept }: Omit<BrandNames, 'domains'>): TrackedName[] {
  return [name, ...givenAliases(kept)].map((given) => {
    if (typeof given === 'string') return { text: given }
    const { alias: text, is_exact = false, company = null } = given
    return { text, ...(is_exact ? { is_exact } : {}), ...(company === null ? {} : { company }) }
  })
}

function readAlias(given: GivenAlias, what: string): AliasRule {
  const { alias, is_exact = false, company = null } = typeof given === 'string' ? { alias: given } : given
  const words = company === null ? null : [...new Set(company.map((word) => checkName(word, 'a word of company')))]
  return { alias: checkName(alias, `an alias of ${what}`), is_exact, company: words }
}

const merged = (one: AliasRule, other: AliasRule): AliasRule => ({
  alias: one.alias,
  is_exact: one.is_exact || other.is_exact,
  company:
    one.company === null && other.company === null
      ? null
      : [...new Set([...(one.company ?? []), ...(other.company ?? [])])],
})

const isRule = ({ is_exact, company }: AliasRule) => is_exact || company !== null

function refuseRuleOfName(rule: AliasRule | undefined): void {
  if (rule === undefined || !isRule(rule)) return
  throw new Refusal(
    'invalid_input',
    `${quoted(rule.alias)} is the name itself, which always counts; only an alias can be exact or need a second word: give a longer name, and this one as an alias.`,
  )
}

function refuseNoCompany({ alias, company }: AliasRule, domain_count: number): void {
  if (company === null) return
  if (company.length === 0 && domain_count === 0) {
    throw new Refusal(
      'invalid_input',
      `${quoted(alias)} needs a second word, but it has no words and the brand has no domain: give one.`,
    )
  }
  refuseMany(company, MAX_COMPANY, `required second words of ${quoted(alias)}`)
}

function refuseMany(values: readonly unknown[], most: number, what: string): void {
  if (values.length <= most) return
  throw new Refusal('invalid_input', `There are ${values.length} ${what}; at most ${most} are allowed.`)
}
