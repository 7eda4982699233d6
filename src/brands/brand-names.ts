/** How brands and competitors are named: a name, aliases, and the domains that are theirs. */
import { checkName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { rootDomain } from '#sites/root-domain.ts'

const MAX_ALIASES = 50
const MAX_DOMAINS = 50

export interface BrandNames {
  name: string
  aliases: readonly string[]
  domains: readonly string[]
}

/**
 * Names in the form in which they are kept: aliases without repeats and without the name itself, domains in lower
 * case and punycode.
 * @throws Refusal invalid_input.
 */
export function readBrandNames(given: BrandNames, what: string): BrandNames {
  const name = checkName(given.name, what)
  const aliases = new Set(given.aliases.map((alias) => checkName(alias, `an alias of ${what}`)))
  aliases.delete(name)
  const domains = new Set(given.domains.map(rootDomain))
  refuseMany([...aliases], MAX_ALIASES, 'aliases')
  refuseMany([...domains], MAX_DOMAINS, 'domains')
  return { name, aliases: [...aliases], domains: [...domains] }
}

function refuseMany(values: readonly string[], most: number, what: string): void {
  if (values.length <= most) return
  throw new Refusal('invalid_input', `There are ${values.length} ${what}; at most ${most} are allowed.`)
}
