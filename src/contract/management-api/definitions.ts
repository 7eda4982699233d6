/** What a site's owner and editors define for its tracker; definitions by id or name (rules 7). */
import Type from 'typebox'
import { Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { ConversionMatcher, StepDefinition } from '../site-api/funnel-definition.ts'
import { DEFINITION_STATES, SCALAR_KINDS } from '../vocabulary.ts'
import { site, siteOperation } from './define.ts'

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

const permission = 'edit_definitions'

export const addProperty = siteOperation({
  id: 'property.add',
  summary: 'Declare a property of a named event',
  permission,
  effect: 'write',
  input: Type.Object({ site, ...propertyFields, scalar_kind, enum_values }),
  output: Property,
})

export const listProperties = siteOperation({
  id: 'property.list',
  summary: 'The declared properties of a site',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site }),
  output: Type.Object({ properties: Type.Array(Property) }),
})

export const editProperty = siteOperation({
  id: 'property.edit',
  summary: 'Change kind or values of a property',
  permission,
  effect: 'write',
  input: Type.Object({ site, ...propertyFields, scalar_kind: Type.Optional(scalar_kind), enum_values }),
  output: Property,
})

export const endProperty = siteOperation({
  id: 'property.end',
  summary: 'Store a property no more',
  permission,
  effect: 'write',
  input: Type.Object({ site, ...propertyFields }),
  output: Property,
})

export const addConversion = siteOperation({
  id: 'conversion.add',
  summary: 'Define a conversion',
  permission,
  effect: 'write',
  input: Type.Object({ site, definition, effective_from }),
  output: Conversion,
})

export const listConversions = siteOperation({
  id: 'conversion.list',
  summary: 'The conversions of a site',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site }),
  output: Type.Object({ conversions: Type.Array(Conversion) }),
})

export const editConversion = siteOperation({
  id: 'conversion.edit',
  summary: 'Change a conversion, and with it the funnels that use it',
  permission,
  effect: 'write',
  input: Type.Object({ site, conversion: Type.String(), definition, revision }),
  output: Type.Object({ ...Conversion.properties, revised_funnels: Type.Array(Funnel) }),
})

export const archiveConversion = siteOperation({
  id: 'conversion.archive',
  summary: 'End a conversion',
  permission,
  effect: 'write',
  input: Type.Object({ site, conversion: Type.String() }),
  output: Conversion,
})

export const addFunnel = siteOperation({
  id: 'funnel.add',
  summary: 'Define a funnel',
  permission,
  effect: 'write',
  input: Type.Object({ site, definition, effective_from }),
  output: Funnel,
})

export const listFunnels = siteOperation({
  id: 'funnel.list',
  summary: 'The funnels of a site',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site }),
  output: Type.Object({ funnels: Type.Array(Funnel) }),
})

export const showFunnel = siteOperation({
  id: 'funnel.show',
  summary: 'A funnel with all its revisions',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site, funnel: Type.String() }),
  output: Type.Object({ ...Funnel.properties, revisions: Type.Array(Funnel) }),
})

export const editFunnel = siteOperation({
  id: 'funnel.edit',
  summary: 'Change a funnel',
  permission,
  effect: 'write',
  input: Type.Object({ site, funnel: Type.String(), definition, revision }),
  output: Funnel,
})

export const archiveFunnel = siteOperation({
  id: 'funnel.archive',
  summary: 'End a funnel',
  permission,
  effect: 'write',
  input: Type.Object({ site, funnel: Type.String() }),
  output: Funnel,
})

export const findUnseenPages = siteOperation({
  id: 'page.unseen',
  summary: 'Which of these pages no visitor was seen on',
  permission: 'read',
  effect: 'read',
  input: Type.Object({ site, pages: Type.Array(Page, { maxItems: MAX_STEPS }) }),
  /** Null while the site has no event at all, so that nothing can be said. */
  output: Type.Object({
    unseen: orNull(Type.Array(Type.Object({ ...Page.properties, seen: Type.Array(Page) }))),
  }),
})

export const definitionOperations = [
  addProperty,
  listProperties,
  editProperty,
  endProperty,
  addConversion,
  listConversions,
  editConversion,
  archiveConversion,
  addFunnel,
  listFunnels,
  showFunnel,
  editFunnel,
  archiveFunnel,
  findUnseenPages,
] as const
