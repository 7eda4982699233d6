/** A sentence for every schema and field of the OpenAPI document, so that it can be read without any other page. */
import { ACCOUNT_FIELD_DESCRIPTIONS, ACCOUNT_SCHEMA_DESCRIPTIONS } from './account-field-descriptions.ts'
import { FIELD_DESCRIPTIONS } from './field-descriptions.ts'
import { SHARED_SCHEMA_FIELDS } from './shared-schema-fields.ts'

/** What the shared schemas of surface A are, by their titles. */
const SITE_SCHEMA_DESCRIPTIONS = {
  AccessCheckRequest: 'The URL to check.',
  AnalyticsConversions: 'Conversion revisions with the sessions that met them.',
  AnalyticsEvents: 'Events of visitors by name, links that led away, and downloads.',
  AnalyticsJourneys: 'Sequences of pages that sessions went.',
  AnalyticsOverview: 'Visitors, sessions and pageviews at a glance.',
  AnalyticsPages: 'Pages that visitors saw, with separate crawler evidence.',
  AnalyticsRevenue: 'Revenue as the customer reported it.',
  AnalyticsSources: 'Where sessions came from.',
  AuthorityHost: 'One interval in which one source was assigned to count one host.',
  Conversion: 'One revision of a conversion.',
  ConversionMatcher: 'The event or pageview that counts.',
  ConversionSource: 'Converted sessions of one origin.',
  Crawler: 'One crawler that was observed.',
  CrawlerAnswer: 'Everything about one crawler.',
  CrawlerPage: 'One page that the crawler requested.',
  Crawlers: 'Crawlers that were observed.',
  DailyRow: 'Requests of one crawler on one day.',
  EventProperty: 'One declared property of an event.',
  EventValue: 'One declared value of a property.',
  EvidenceRef: 'Counted requests, or an inspection.',
  Funnel: 'A funnel with its steps.',
  FunnelList: 'The funnels of a site.',
  FunnelListMeta: 'What the answer says about its own evidence. Read it before the numbers.',
  FunnelMeta: 'What the answer says about its own evidence. Read it before the numbers.',
  FunnelStep: 'One step and the sessions that reached it.',
  FunnelStepDefinition: 'What a session must do to reach the step.',
  FunnelSummary: 'A funnel without its steps.',
  Issue: 'Observed harm to requests of crawlers.',
  Issues: 'Issues of a site.',
  Journey: 'One row of journeys.',
  JourneySequence: 'Sessions that went through the same pages.',
  Meta: 'What the answer says about its own evidence. Read it before any count.',
  Outcome: 'Requests of one outcome class.',
  NamedEvent: 'Events of one name.',
  OverviewMetrics: 'The numbers of the window; all null when no day of it can carry one.',
  OverviewTrendRow: 'The numbers of one day.',
  Page: 'One page that crawlers requested.',
  Performance: 'Requests of crawlers by day and by outcome.',
  Problem: 'Why the request was refused (RFC 9457).',
  PropertyRule: 'What one property of the event must be.',
  ReportedRevenue: 'Revenue of one currency and provenance.',
  RevenueReconciliation: 'Orders of browser and server compared by order id.',
  ShadowDiagnostic: 'One host and day that two sources saw.',
  SingleFunnel: 'One funnel with its steps.',
  SiteList: 'Sites that the key may read.',
  SiteMembership: 'A site, and the role of the key’s owner on it.',
  Source: 'One source of crawler evidence.',
  Sources: 'Sources of crawler evidence.',
  TopPages: 'Pages that crawlers requested.',
  TrackerPage: 'One page that visitors saw.',
  UnregisteredAgent: 'One automated agent without an entry in the registry.',
  UnregisteredAgents: 'Automated agents without an entry in the registry.',
  UtmBlock: 'Sessions by the values of one UTM dimension.',
  VerifiedIssue: 'An issue with what became of the request to inspect it now.',
} as const satisfies Readonly<Record<string, string>>

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** Receives each look-up: the name whose description is used, null if none has one, and the first name tried. */
export type OnField = (described: string | null, field: string) => void

const FIELDS = { ...FIELD_DESCRIPTIONS, ...SHARED_SCHEMA_FIELDS, ...ACCOUNT_FIELD_DESCRIPTIONS }
const SCHEMAS = { ...SITE_SCHEMA_DESCRIPTIONS, ...ACCOUNT_SCHEMA_DESCRIPTIONS }

/** Every name that is described, in the order of the lists: one that stands in two of them occurs twice. */
export const describedNames: readonly string[] = [
  FIELD_DESCRIPTIONS,
  SHARED_SCHEMA_FIELDS,
  ACCOUNT_FIELD_DESCRIPTIONS,
  SITE_SCHEMA_DESCRIPTIONS,
  ACCOUNT_SCHEMA_DESCRIPTIONS,
].flatMap((list) => Object.keys(list))

/** Where a field that holds a shared schema says what it means; it stands beside the reference to the schema. */
export const FIELD_WORDS = 'x-field-description'

/** A plain JSON schema with a description at every property, and every titled schema, that has none of its own. */
export function describeFields(schema: Json, onField: OnField = () => {}, owner = ''): Json {
  if (Array.isArray(schema)) return schema.map((item) => describeFields(item, onField, owner))
  if (!isObject(schema)) return schema
  const title = typeof schema.title === 'string' ? schema.title : null
  const entries = Object.entries(schema).map(([key, value]): [string, Json] => {
    if (key === 'enum' || key === 'const') return [key, value]
    if (key !== 'properties' || !isObject(value)) return [key, describeFields(value, onField, title ?? owner)]
    const fields = Object.entries(value).map(([field, of]): [string, Json] => {
      const inner = describeFields(of, onField, field)
      const names = [`${title ?? owner}.${field}`, field]
      if (!isObject(inner) || typeof inner.title !== 'string') return [field, describe(inner, FIELDS, names, onField)]
      // What the field means is not what the shared schema says of all its fields.
      const { description } = describe({}, FIELDS, names, onField) as { description?: string }
      return [field, description === undefined ? inner : { ...inner, [FIELD_WORDS]: description }]
    })
    return [key, Object.fromEntries(fields)]
  })
  const all = Object.fromEntries(entries)
  return title === null ? all : describe(all, SCHEMAS, [title], onField)
}

/** Adds the first known description, unless the schema has one. */
function describe(
  schema: Json,
  known: Readonly<Record<string, string>>,
  names: readonly string[],
  onField: OnField,
): Json {
  if (!isObject(schema) || 'description' in schema) return schema
  const name = names.find((each) => Object.hasOwn(known, each)) ?? null
  onField(name, names[0] as string)
  return name === null ? schema : { ...schema, description: known[name] as string }
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
