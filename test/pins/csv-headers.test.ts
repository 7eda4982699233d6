import { expect, test } from 'vitest'
import type { HttpOperation } from '#contract/operation.ts'
import { operations } from '#contract/site-api/index.ts'

/** Frozen: programs out there read these records (spec 4.3). */
test('CSV headers and the order of their records are exactly these', () => {
  const forms = (operations as readonly HttpOperation[]).flatMap(({ id, csv }) =>
    csv === undefined
      ? []
      : [[id, csv.header, csv.records.join(' '), ...(csv.while_closed ? [csv.while_closed.header] : [])]],
  )
  expect(forms).toEqual([
    [
      'getAnalyticsOverview',
      'record_type,meta_json,day,metric,value',
      'meta metric trend comparison',
      'record_type,day,metric,value',
    ],
    ['getAnalyticsSources', 'record_type,meta_json,dimension,identity_json,metric,value', 'meta denominator metric'],
    [
      'getAnalyticsPages',
      'record_type,meta_json,hostname,path,path_fidelity,payload_json',
      'meta summary page crawler_pattern',
    ],
    [
      'getAnalyticsConversions',
      'record_type,meta_json,conversion_json,source_json',
      'meta conversion conversion_property_rule conversion_source',
    ],
    ['getAnalyticsFunnels', 'record_type,meta_json,funnel_json', 'meta funnel'],
    ['getAnalyticsFunnel', 'record_type,meta_json,funnel_json,step_json', 'meta funnel funnel_step'],
    ['getAnalyticsJourneys', 'record_type,meta_json,journey_json', 'meta journey'],
    ['getAnalyticsRevenue', 'record_type,meta_json,reconciliation_json,reported_json', 'meta reconciliation reported'],
  ])
})
