/** How much a deletion would take away, shown before a person types the name of it (decisions 7.6). */
import Type from 'typebox'
import { Count, Day, orNull, Uuid } from '../fields.ts'
import { site } from '../management-api/define.ts'
import { readOfSite } from './define.ts'

export const getSiteContents = readOfSite('getSiteContents', 'What would go with a site', {
  permission: 'delete_site',
  input: Type.Object({ site }),
  output: Type.Object({
    id: Uuid,
    root_domain: Type.String(),
    /** Stored crawler requests, of all sources, counting or not; and stored events of visitors, servers and bots. */
    requests: Count,
    events: Count,
    /** Of the stored evidence; null: there is none. */
    first_day: orNull(Day),
    last_day: orNull(Day),
    sources: Count,
    members: Count,
    conversions: Count,
    funnels: Count,
    properties: Count,
    issues: Count,
    alert_receivers: Count,
    /** Brands that name the site; they stay, without a site. */
    brands: Count,
  }),
})

export const contentsReads = [getSiteContents] as const
