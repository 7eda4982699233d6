/** Names of a brand as people type them: lists with one entry per line. */
import type { ReadOutput } from '../read/operations.ts'

export interface TypedNames {
  name: string
  /** Those that always count. */
  aliases: string
  exact_aliases: string
  /** `Apex = Munich, Bavaria`: an alias, and the words of which one must be named as well. */
  company_aliases: string
  domains: string
}

type AliasRule = ReadOutput<'getAliasRules'>['alias_rules'][number]

interface KnownNames {
  name: string
  aliases: readonly string[]
  domains: readonly string[]
}

export const NO_NAMES: TypedNames = { name: '', aliases: '', exact_aliases: '', company_aliases: '', domains: '' }

/** The names of a brand as text for the fields. An alias that is exact and ambiguous is in both lists. */
export function typedNames({ name, aliases, domains }: KnownNames, rules: readonly AliasRule[]): TypedNames {
  const company_lines = rules.flatMap(({ alias, company }) =>
    company === null ? [] : [company.length === 0 ? alias : `${alias} = ${company.join(', ')}`],
  )
  const exact = rules.filter(({ is_exact }) => is_exact).map(({ alias }) => alias)
  const always = aliases.filter((alias) => rules.every((rule) => rule.alias !== alias))
  return {
    name,
    aliases: always.join('\n'),
    exact_aliases: exact.join('\n'),
    company_aliases: company_lines.join('\n'),
    domains: domains.join('\n'),
  }
}

/** The text of the fields as input of the operations on brands and competitors. */
export const namesOf = ({ name, aliases, exact_aliases, company_aliases, domains }: TypedNames) => ({
  name: name.trim(),
  aliases: [
    ...listOf(aliases),
    ...listOf(exact_aliases).map((alias) => ({ alias, is_exact: true })),
    ...listOf(company_aliases).map(companyAliasOf),
  ],
  domains: listOf(domains),
})

/** An alias with the conditions under which it counts: "ACM (exact)". */
export function aliasText(alias: string, rules: readonly AliasRule[]): string {
  const rule = rules.find((one) => one.alias === alias)
  if (rule === undefined) return alias
  const needed = rule.company === null ? [] : [`with ${[...rule.company, 'a domain'].join(' or ')}`]
  return `${alias} (${[...(rule.is_exact ? ['exact'] : []), ...needed].join(', ')})`
}

function companyAliasOf(line: string) {
  const [alias = '', words = ''] = line.split('=', 2)
  return { alias: alias.trim(), company: split(words, ',') }
}

const listOf = (text: string) => split(text, '\n')

const split = (text: string, by: string) =>
  text
    .split(by)
    .map((part) => part.trim())
    .filter((part) => part !== '')
