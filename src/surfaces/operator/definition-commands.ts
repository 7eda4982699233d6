import Type from 'typebox'
import { instantText } from '#clock.ts'
import { SCALAR_KINDS } from '#contract/vocabulary.ts'
import { findAnySite } from '#sites/visible-sites.ts'
import { readConversionEdit, readConversionInput, readFunnelEdit, readFunnelInput } from '#tracker/definitions/asked.ts'
import { addConversion, archiveConversion, editConversion, listConversions } from '#tracker/definitions/conversions.ts'
import type { ConversionRevision, FunnelRevision } from '#tracker/definitions/definitions.ts'
import { addFunnel, archiveFunnel, editFunnel, listFunnels, showFunnel } from '#tracker/definitions/funnels.ts'
import { MOST_STEPS } from '#tracker/definitions/limits.ts'
import {
  declareProperty,
  editProperty,
  endProperty,
  listProperties,
  type Property,
} from '#tracker/definitions/properties.ts'
import { findUnseenPages } from '#tracker/definitions/unseen-pages.ts'
import { command } from './command.ts'

const site = Type.String()
const property = { site, event_name: Type.String(), property_key: Type.String() }
const enum_values = Type.Optional(Type.Array(Type.String()))
/** Read with a message that names the place, so it comes as it is. */
const definition = Type.Unknown()
/** Epoch milliseconds. */
const effective_from = Type.Optional(Type.Number())
const revision = Type.Optional(Type.Integer())

/** What a site's owner and editors define for its tracker; site by id or domain, definitions by id or name (rules 7). */
export const definitionCommands = {
  'property.add': command({
    input: Type.Object({ ...property, scalar_kind: Type.Enum(SCALAR_KINDS), enum_values }),
    async run(ctx, { site: text, ...asked }) {
      const { id: site_id } = await findAnySite(ctx, text)
      return propertyAnswer(await declareProperty(ctx, { site_id, ...asked }))
    },
  }),

  'property.list': command({
    input: Type.Object({ site }),
    async run(ctx, { site: text }) {
      const { id } = await findAnySite(ctx, text)
      return { properties: (await listProperties(ctx, id)).map(propertyAnswer) }
    },
  }),

  'property.edit': command({
    input: Type.Object({ ...property, scalar_kind: Type.Optional(Type.Enum(SCALAR_KINDS)), enum_values }),
    async run(ctx, { site: text, ...asked }) {
      const { id: site_id } = await findAnySite(ctx, text)
      return propertyAnswer(await editProperty(ctx, { site_id, ...asked }))
    },
  }),

  'property.end': command({
    input: Type.Object(property),
    async run(ctx, { site: text, ...asked }) {
      const { id: site_id } = await findAnySite(ctx, text)
      return propertyAnswer(await endProperty(ctx, { site_id, ...asked }))
    },
  }),

  'conversion.add': command({
    input: Type.Object({ site, definition, effective_from }),
    async run(ctx, { site: text, definition: given, ...asked }) {
      const own = await findAnySite(ctx, text)
      return conversionAnswer(await addConversion(ctx, { site: own, definition: readConversionInput(given), ...asked }))
    },
  }),

  'conversion.list': command({
    input: Type.Object({ site }),
    async run(ctx, { site: text }) {
      const { id } = await findAnySite(ctx, text)
      return { conversions: (await listConversions(ctx, id)).map(conversionAnswer) }
    },
  }),

  'conversion.edit': command({
    input: Type.Object({ site, conversion: Type.String(), definition, revision }),
    async run(ctx, { site: text, definition: given, ...asked }) {
      const own = await findAnySite(ctx, text)
      const edit = readConversionEdit(given)
      const { conversion, revised_funnels } = await editConversion(ctx, { site: own, edit, ...asked })
      return { ...conversionAnswer(conversion), revised_funnels: revised_funnels.map(funnelAnswer) }
    },
  }),

  'conversion.archive': command({
    input: Type.Object({ site, conversion: Type.String() }),
    async run(ctx, { site: text, conversion }) {
      return conversionAnswer(await archiveConversion(ctx, { site: await findAnySite(ctx, text), conversion }))
    },
  }),

  'funnel.add': command({
    input: Type.Object({ site, definition, effective_from }),
    async run(ctx, { site: text, definition: given, ...asked }) {
      const own = await findAnySite(ctx, text)
      return funnelAnswer(await addFunnel(ctx, { site: own, definition: readFunnelInput(given), ...asked }))
    },
  }),

  'funnel.list': command({
    input: Type.Object({ site }),
    async run(ctx, { site: text }) {
      const { id } = await findAnySite(ctx, text)
      return { funnels: (await listFunnels(ctx, id)).map(funnelAnswer) }
    },
  }),

  'funnel.show': command({
    input: Type.Object({ site, funnel: Type.String() }),
    async run(ctx, { site: text, funnel }) {
      const revisions = await showFunnel(ctx, { site: await findAnySite(ctx, text), funnel })
      return { ...funnelAnswer(revisions.at(-1) as FunnelRevision), revisions: revisions.map(funnelAnswer) }
    },
  }),

  'funnel.edit': command({
    input: Type.Object({ site, funnel: Type.String(), definition, revision }),
    async run(ctx, { site: text, definition: given, ...asked }) {
      const own = await findAnySite(ctx, text)
      return funnelAnswer(await editFunnel(ctx, { site: own, edit: readFunnelEdit(given), ...asked }))
    },
  }),

  'funnel.archive': command({
    input: Type.Object({ site, funnel: Type.String() }),
    async run(ctx, { site: text, funnel }) {
      return funnelAnswer(await archiveFunnel(ctx, { site: await findAnySite(ctx, text), funnel }))
    },
  }),

  /** For notes beside definitions: they themselves never depend on what was seen. */
  'page.unseen': command({
    input: Type.Object({
      site,
      pages: Type.Array(Type.Object({ hostname: Type.String(), path: Type.String() }), { maxItems: MOST_STEPS }),
    }),
    async run(ctx, { site: text, pages }) {
      const { id } = await findAnySite(ctx, text)
      return { unseen: await findUnseenPages(await ctx.crawlers(), id, pages) }
    },
  }),
}

function propertyAnswer({ created_at, ended_at, ...row }: Property) {
  return { ...row, created_at: instantText(created_at), ended_at: orNull(ended_at) }
}

function conversionAnswer({ conversion_id: id, matcher, ...row }: ConversionRevision) {
  return { id, name: row.name, ...revisionAnswer(row), matcher }
}

function funnelAnswer({ funnel_id: id, slug, steps, ...row }: FunnelRevision) {
  return { id, slug, name: row.name, ...revisionAnswer(row), steps }
}

function revisionAnswer(row: Omit<ConversionRevision, 'conversion_id' | 'matcher'>) {
  return {
    definition_state: row.archived_at === null ? ('active' as const) : ('archived' as const),
    revision_id: row.id,
    revision: row.revision,
    effective_from: instantText(row.effective_from),
    effective_to: orNull(row.effective_to),
    created_at: instantText(row.created_at),
    archived_at: orNull(row.archived_at),
  }
}

const orNull = (at: number | null) => (at === null ? null : instantText(at))
