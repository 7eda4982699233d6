/** The CSV form of an answer that passed its contract (spec 4.3). */
import { CSV_MEDIA_TYPE } from '#contract/operation.ts'
import { getAnalyticsPages } from '#contract/site-api/analytics-pages.ts'
import { getAnalyticsSources } from '#contract/site-api/analytics-sources.ts'
import { getAnalyticsConversions } from '#contract/site-api/conversions.ts'
import { getAnalyticsFunnel, getAnalyticsFunnels } from '#contract/site-api/funnels.ts'
import { getAnalyticsJourneys } from '#contract/site-api/journeys.ts'
import { getAnalyticsOverview } from '#contract/site-api/overview.ts'
import { getAnalyticsRevenue } from '#contract/site-api/revenue.ts'
import { sourcesRecords } from './analytics-sources.ts'
import { type ListedForm, type ListedObject, listedRecords } from './list-forms.ts'
import { overviewColumns, overviewRecords } from './overview.ts'
import { writeCsv } from './write-cells.ts'

const columnsOf = ({ csv }: { csv: { header: string } }) => csv.header.split(',')

const LISTED: Readonly<Record<string, ListedForm>> = {
  getAnalyticsPages: {
    columns: columnsOf(getAnalyticsPages),
    rest: 'payload_json',
    records: [
      { record: 'summary', field: 'summary', column: 'payload_json' },
      { record: 'page', field: 'pages', column: 'payload_json', text: ['hostname', 'path', 'path_fidelity'] },
      {
        record: 'crawler_pattern',
        field: 'crawler_patterns',
        column: 'payload_json',
        text: ['hostname', 'path', 'path_fidelity'],
      },
    ],
  },
  getAnalyticsConversions: {
    columns: columnsOf(getAnalyticsConversions),
    rest: 'conversion_json',
    records: [
      {
        record: 'conversion',
        field: 'conversions',
        column: 'conversion_json',
        lists: [
          {
            record: 'conversion_property_rule',
            field: 'property_rules',
            column: 'conversion_json',
            owner: { key: 'revision_id', column: 'conversion_json' },
          },
          {
            record: 'conversion_source',
            field: 'sources',
            column: 'source_json',
            owner: { key: 'revision_id', column: 'conversion_json' },
          },
        ],
      },
    ],
  },
  getAnalyticsFunnels: {
    columns: columnsOf(getAnalyticsFunnels),
    rest: 'funnel_json',
    records: [{ record: 'funnel', field: 'funnels', column: 'funnel_json' }],
  },
  getAnalyticsFunnel: {
    columns: columnsOf(getAnalyticsFunnel),
    rest: 'step_json',
    records: [
      {
        record: 'funnel',
        field: 'funnel',
        column: 'funnel_json',
        lists: [{ record: 'funnel_step', field: 'steps', column: 'step_json' }],
      },
    ],
  },
  getAnalyticsJourneys: {
    columns: columnsOf(getAnalyticsJourneys),
    rest: 'journey_json',
    records: [{ record: 'journey', field: 'journeys', column: 'journey_json' }],
  },
  getAnalyticsRevenue: {
    columns: columnsOf(getAnalyticsRevenue),
    rest: 'reported_json',
    records: [
      { record: 'reconciliation', field: 'reconciliation', column: 'reconciliation_json' },
      { record: 'reported', field: 'reported', column: 'reported_json' },
    ],
  },
}

/** The answer to a request with `format=csv`. */
export const csvAnswer = (operation_id: string, answer: ListedObject) => ({
  type: CSV_MEDIA_TYPE,
  body: renderCsv(operation_id, answer),
})

/** The whole CSV document. Only operations with a form take `format`, so that another one here is a defect. */
export function renderCsv(operation_id: string, answer: ListedObject): string {
  if (operation_id === getAnalyticsOverview.id) {
    return writeCsv(overviewColumns(answer), overviewRecords(answer))
  }
  if (operation_id === getAnalyticsSources.id) {
    return writeCsv(columnsOf(getAnalyticsSources), sourcesRecords(answer))
  }
  const form = LISTED[operation_id]
  if (form === undefined) throw new Error(`${operation_id} has no CSV form`)
  return writeCsv(form.columns, listedRecords(form, answer))
}
