/** Operations on the properties, conversions and funnels of a site, which callers name by id or name (rules 7). */
import { instantOrNull, instantText } from '#clock.ts'
import type { ManagementOperationOf } from '#contract/management-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { Implementations } from '#implementation.ts'
import { addConversion, archiveConversion, editConversion, listConversions } from './conversions.ts'
import { readConversionEdit, readConversionInput, readFunnelEdit, readFunnelInput } from './definition-input.ts'
import type { ConversionRevision, FunnelRevision } from './definitions.ts'
import { addFunnel, archiveFunnel, editFunnel, listFunnels, showFunnel } from './funnels.ts'
import { declareProperty, editProperty, endProperty, listProperties, type Property } from './properties.ts'
import { findUnseenPages } from './unseen-pages.ts'

interface Services extends ControlContext {
  crawlers(): Promise<CrawlerContext>
}

export const manageProperties: Implementations<ManagementOperationOf<`property.${string}`>, Services> = {
  async 'property.add'(ctx, { site: _site, ...input }) {
    return describeProperty(await declareProperty(ctx, { site_id: ctx.site.id, ...input }))
  },

  async 'property.list'(ctx) {
    return { properties: (await listProperties(ctx, ctx.site.id)).map(describeProperty) }
  },

  async 'property.edit'(ctx, { site: _site, ...input }) {
    return describeProperty(await editProperty(ctx, { site_id: ctx.site.id, ...input }))
  },

  async 'property.end'(ctx, { event_name, property_key }) {
    return describeProperty(await endProperty(ctx, { site_id: ctx.site.id, event_name, property_key }))
  },
}

export const manageConversions: Implementations<ManagementOperationOf<`conversion.${string}`>, Services> = {
  async 'conversion.add'(ctx, { definition, ...input }) {
    const conversion = { ...input, site: ctx.site, definition: readConversionInput(definition) }
    return describeConversion(await addConversion(ctx, conversion))
  },

  async 'conversion.list'(ctx) {
    return { conversions: (await listConversions(ctx, ctx.site.id)).map(describeConversion) }
  },

  async 'conversion.edit'(ctx, { definition, ...input }) {
    const edit = { ...input, site: ctx.site, edit: readConversionEdit(definition) }
    const { conversion, revised_funnels } = await editConversion(ctx, edit)
    return { ...describeConversion(conversion), revised_funnels: revised_funnels.map(describeFunnel) }
  },

  async 'conversion.archive'(ctx, { conversion }) {
    return describeConversion(await archiveConversion(ctx, { site: ctx.site, conversion }))
  },
}

export const manageFunnels: Implementations<ManagementOperationOf<`funnel.${string}` | 'page.unseen'>, Services> = {
  async 'funnel.add'(ctx, { definition, ...input }) {
    return describeFunnel(await addFunnel(ctx, { ...input, site: ctx.site, definition: readFunnelInput(definition) }))
  },

  async 'funnel.list'(ctx) {
    return { funnels: (await listFunnels(ctx, ctx.site.id)).map(describeFunnel) }
  },

  async 'funnel.show'(ctx, { funnel }) {
    const revisions = await showFunnel(ctx, { site: ctx.site, funnel })
    return { ...describeFunnel(revisions.at(-1) as FunnelRevision), revisions: revisions.map(describeFunnel) }
  },

  async 'funnel.edit'(ctx, { definition, ...input }) {
    return describeFunnel(await editFunnel(ctx, { ...input, site: ctx.site, edit: readFunnelEdit(definition) }))
  },

  async 'funnel.archive'(ctx, { funnel }) {
    return describeFunnel(await archiveFunnel(ctx, { site: ctx.site, funnel }))
  },

  /** For hints beside definitions. A definition itself is valid without visits to its pages. */
  async 'page.unseen'(ctx, { pages }) {
    return { unseen: await findUnseenPages(await ctx.crawlers(), ctx.site.id, pages) }
  },
}

function describeProperty({ created_at, ended_at, ...row }: Property) {
  return { ...row, created_at: instantText(created_at), ended_at: instantOrNull(ended_at) }
}

function describeConversion({ conversion_id: id, matcher, ...row }: ConversionRevision) {
  return { id, name: row.name, ...describeRevision(row), matcher }
}

function describeFunnel({ funnel_id: id, slug, steps, ...row }: FunnelRevision) {
  return { id, slug, name: row.name, ...describeRevision(row), steps }
}

function describeRevision(row: Omit<ConversionRevision, 'conversion_id' | 'matcher'>) {
  return {
    definition_state: row.archived_at === null ? ('active' as const) : ('archived' as const),
    revision_id: row.id,
    revision: row.revision,
    effective_from: instantText(row.effective_from),
    effective_to: instantOrNull(row.effective_to),
    created_at: instantText(row.created_at),
    archived_at: instantOrNull(row.archived_at),
  }
}
