import Type from 'typebox'
import { Brand, Competitor } from '../account-api/brands.ts'
import { Count, closed, Instant, orNull, Uuid } from '../fields.ts'
import { onAccount, site, typed_name } from './define.ts'

/** The conditions under which an alias counts (account API 4). */
export const ManagedAliasRule = Type.Object(
  {
    alias: Type.String(),
    /** Only in exactly this spelling. */
    is_exact: Type.Boolean(),
    /** Words of which one, or a domain of the brand, must be named as well; null: it counts alone. */
    company: orNull(Type.Array(Type.String())),
  },
  { title: 'AliasRule' },
)
const { alias, is_exact, company } = ManagedAliasRule.properties
const GivenAlias = Type.Union([
  Type.String(),
  closed({ alias, is_exact: Type.Optional(is_exact), company: Type.Optional(company) }),
])

const names = { name: Type.String(), aliases: Type.Array(GivenAlias), domains: Type.Array(Type.String()) }
/** A brand by id or name. */
const brand = Type.String({ description: 'id or name' })
const rules = { alias_rules: Type.Array(ManagedAliasRule) }
const ManagedCompetitor = Type.Object({ ...Competitor.properties, ...rules })
const ManagedBrand = Type.Object({
  ...Brand.properties,
  ...rules,
  competitors: Type.Array(ManagedCompetitor),
  archived_at: orNull(Instant),
})
const contents = { questions: Count, competitors: Count }

export const brandOperations = [
  onAccount('brand.add', 'Add a brand', {
    effect: 'write',
    input: { ...names, site: Type.Optional(site) },
    output: ManagedBrand,
  }),
  onAccount('brand.list', 'The brands of the account, by name', {
    input: { with_archived: Type.Boolean() },
    output: Type.Object({ brands: Type.Array(ManagedBrand) }),
  }),
  onAccount('brand.show', 'A brand, and how many questions it has', {
    input: { brand },
    output: Type.Object({ ...ManagedBrand.properties, questions: Count }),
  }),
  onAccount('brand.edit', 'Change a brand; what is left out stays', {
    effect: 'write',
    input: {
      brand,
      name: Type.Optional(names.name),
      aliases: Type.Optional(names.aliases),
      domains: Type.Optional(names.domains),
      /** Null: the brand is of no site. */
      site: Type.Optional(orNull(site)),
    },
    output: ManagedBrand,
  }),
  onAccount('brand.archive', 'Hide a brand from the account API and stop asking its questions', {
    effect: 'write',
    input: { brand },
    output: ManagedBrand,
  }),
  onAccount('brand.restore', 'End the archiving of a brand', {
    effect: 'write',
    input: { brand },
    output: ManagedBrand,
  }),
  onAccount('brand.contents', 'What would go with a brand', {
    input: { brand },
    output: Type.Object({ id: Uuid, name: Type.String(), ...contents, fixes: Count, answers: Count }),
  }),
  onAccount('brand.remove', 'Remove a brand with its questions and competitors', {
    effect: 'write',
    input: { brand, typed_name },
    output: Type.Object({ id: Uuid, name: Type.String(), ...contents }),
  }),
  onAccount('brand.competitor_add', 'Compare a brand with one more', {
    effect: 'write',
    input: { brand, ...names },
    output: ManagedCompetitor,
  }),
  onAccount('brand.competitor_remove', 'Compare a brand with one less', {
    effect: 'write',
    input: {
      brand,
      /** By id or name. */
      competitor: Type.String(),
    },
    output: ManagedCompetitor,
  }),
] as const
