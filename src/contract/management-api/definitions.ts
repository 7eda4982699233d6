/** What a site's owner and editors define for its tracker; definitions by id or name (rules 7). */
import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ConversionMatcher, StepDefinition } from '../site-api/funnel-definition.ts'
import { DEFINITION_STATES, SCALAR_KINDS } from '../vocabulary.ts'
import { onSite } from './define.ts'

/** So many steps a funnel has at most, and a question about pages names at most (spec 8). */
export const MAX_STEPS = 5

const propertyFields = { event_name: Type.String(), property_key: Type.String() }
const scalar_kind = oneOf(SCALAR_KINDS)
const enum_values = Type.Optional(Type.Array(Type.String()))
/** A conversion or a funnel as a person writes it: read by the domain, whose message names the place of a mistake. */
const definition = Type.Unknown()
/** Epoch milliseconds. */
const effective_from = Type.Optional(Type.Number())
/** The revision that the change was made from. */
const revision = Type.Optional(Type.Integer())

const Property = Type.Object({
  id: Uuid,
  site_id: Uuid,
  ...propertyFields,
  revision: Type.Integer(),
  scalar_kind,
  enum_values: orNull(Type.Array(Type.String())),
  created_at: Instant,
  ended_at: orNull(Instant),
})

const revisionFields = {
  name: Type.String(),
  definition_state: oneOf(DEFINITION_STATES),
  revision_id: Uuid,
  revision: Type.Integer(),
  effective_from: Instant,
  effective_to: orNull(Instant),
  created_at: Instant,
  archived_at: orNull(Instant),
}
const Conversion = Type.Object({ id: Uuid, ...revisionFields, matcher: ConversionMatcher })
const Funnel = Type.Object({ id: Uuid, slug: Type.String(), ...revisionFields, steps: Type.Array(StepDefinition) })
const Page = Type.Object({ hostname: Type.String(), path: Type.String() })

const change = { permission: 'edit_definitions', effect: 'write' } as const

export const definitionOperations = [
  onSite('property.add', 'Declare a property of a named event', {
    ...change,
    input: { ...propertyFields, scalar_kind, enum_values },
    output: Property,
  }),
  onSite('property.list', 'The declared properties of a site', {
    output: Type.Object({ properties: Type.Array(Property) }),
  }),
  onSite('property.edit', 'Change kind or values of a property', {
    ...change,
    input: { ...propertyFields, scalar_kind: Type.Optional(scalar_kind), enum_values },
    output: Property,
  }),
  onSite('property.end', 'Store a property no more', {
    ...change,
    input: propertyFields,
    output: Property,
  }),
  onSite('conversion.add', 'Define a conversion', {
    ...change,
    input: { definition, effective_from },
    output: Conversion,
  }),
  onSite('conversion.list', 'The conversions of a site', {
    output: Type.Object({ conversions: Type.Array(Conversion) }),
  }),
  onSite('conversion.edit', 'Change a conversion, and with it the funnels that use it', {
    ...change,
    input: { conversion: Type.String(), definition, revision },
    output: Type.Object({ ...Conversion.properties, revised_funnels: Type.Array(Funnel) }),
  }),
  onSite('conversion.archive', 'End a conversion', {
    ...change,
    input: { conversion: Type.String() },
    output: Conversion,
  }),
  onSite('funnel.add', 'Define a funnel', {
    ...change,
    input: { definition, effective_from },
    output: Funnel,
  }),
  onSite('funnel.list', 'The funnels of a site', { output: Type.Object({ funnels: Type.Array(Funnel) }) }),
  onSite('funnel.show', 'A funnel with all its revisions', {
    input: { funnel: Type.String() },
    output: Type.Object({ ...Funnel.properties, revisions: Type.Array(Funnel) }),
  }),
  onSite('funnel.edit', 'Change a funnel', {
    ...change,
    input: { funnel: Type.String(), definition, revision },
    output: Funnel,
  }),
  onSite('funnel.archive', 'End a funnel', {
    ...change,
    input: { funnel: Type.String() },
    output: Funnel,
  }),
  onSite('page.unseen', 'Which of these pages no visitor was seen on', {
    input: { pages: Type.Array(Page, { maxItems: MAX_STEPS }) },
    /** Null while the site has no event at all, so that nothing can be said. */
    output: Type.Object({
      unseen: orNull(Type.Array(Type.Object({ ...Page.properties, seen: Type.Array(Page) }))),
    }),
  }),
] as const
