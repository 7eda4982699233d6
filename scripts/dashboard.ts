/** Generates docs/operating/grafana-dashboard.json from one line for each panel. */
interface Panel {
  title: string
  unit: string
  /** PromQL and how its series are named. */
  queries: readonly (readonly [expr: string, legend: string])[]
}

const rate = (metric: string, by: string) => `sum by (${by}) (rate(${metric}{job=~"$job"}[$__rate_interval]))`
const p99 = (metric: string, by: string) =>
  `histogram_quantile(0.99, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket{job=~"$job"}[$__rate_interval])))`

const PANELS: readonly Panel[] = [
  { title: 'Stores up', unit: 'none', queries: [['min by (store) (spoor_store_up{job=~"$job"})', '{{store}}']] },
  {
    title: 'Requests',
    unit: 'reqps',
    queries: [[rate('spoor_http_request_duration_seconds_count', 'operation, status'), '{{operation}} {{status}}']],
  },
  {
    title: 'Request duration, p99',
    unit: 's',
    queries: [[p99('spoor_http_request_duration_seconds', 'operation'), '{{operation}}']],
  },
  { title: 'Intake: records', unit: 'cps', queries: [[rate('spoor_intake_records_total', 'outcome'), '{{outcome}}']] },
  {
    title: 'Intake: batches',
    unit: 'cps',
    queries: [[rate('spoor_intake_batch_duration_seconds_count', 'outcome'), '{{outcome}}']],
  },
  {
    title: 'Intake: refused batches',
    unit: 'cps',
    queries: [[rate('spoor_intake_refusals_total', 'reason'), '{{reason}}']],
  },
  {
    title: 'Intake: rejected records',
    unit: 'cps',
    queries: [[rate('spoor_intake_rejected_records_total', 'reason'), '{{reason}}']],
  },
  {
    title: 'Intake: places',
    unit: 'none',
    queries: [['sum by (state) (spoor_intake_places{job=~"$job"})', '{{state}}']],
  },
  {
    title: 'Intake: wait and duration, p99',
    unit: 's',
    queries: [
      [p99('spoor_intake_wait_seconds', ''), 'wait'],
      [p99('spoor_intake_batch_duration_seconds', ''), 'batch'],
    ],
  },
  {
    title: 'Tracker: events',
    unit: 'cps',
    queries: [[rate('spoor_tracker_events_total', 'outcome, reason'), '{{outcome}} {{reason}}']],
  },
  { title: 'Tracker: spool', unit: 'bytes', queries: [['spoor_spool_bytes{job=~"$job"}', '{{instance}}']] },
  {
    title: 'Tracker: oldest event in the spool',
    unit: 's',
    queries: [['spoor_spool_oldest_age_seconds{job=~"$job"}', '{{instance}}']],
  },
  {
    title: 'Tracker: inspections of snippets a day',
    unit: 'none',
    queries: [['sum by (outcome) (increase(spoor_snippet_inspections_total{job=~"$job"}[1d]))', '{{outcome}}']],
  },
  {
    title: 'Zones: polls, hours read, failures',
    unit: 'cps',
    queries: [
      [rate('spoor_zone_polls_total', 'job'), 'polls'],
      [rate('spoor_zone_readings_total', 'job'), 'hours'],
      [rate('spoor_zone_poll_failures_total', 'reason'), '{{reason}}'],
    ],
  },
  {
    title: 'Inspections: waiting',
    unit: 'none',
    queries: [['sum by (state) (spoor_inspections_waiting{job=~"$job"})', '{{state}}']],
  },
  {
    title: 'Inspections: oldest that is due',
    unit: 's',
    queries: [['max(spoor_inspections_oldest_due_age_seconds{job=~"$job"})', 'age']],
  },
  {
    title: 'Inspections of the last 24 hours',
    unit: 'none',
    queries: [['sum by (outcome) (spoor_inspections_day{job=~"$job"})', '{{outcome}}']],
  },
  { title: 'Issues', unit: 'none', queries: [['sum by (state) (spoor_issues{job=~"$job"})', '{{state}}']] },
  {
    title: 'Alerts: deliveries that wait or failed',
    unit: 'none',
    queries: [['sum by (state) (spoor_alert_deliveries{job=~"$job"})', '{{state}}']],
  },
  {
    title: 'Alerts: attempts',
    unit: 'cps',
    queries: [[rate('spoor_alert_attempts_total', 'kind, outcome'), '{{kind}} {{outcome}}']],
  },
  {
    title: 'Alerts: oldest that waits',
    unit: 's',
    queries: [['max(spoor_alert_oldest_waiting_age_seconds{job=~"$job"})', 'age']],
  },
  {
    title: 'Alerts: receivers',
    unit: 'none',
    queries: [['sum by (state) (spoor_alert_receivers{job=~"$job"})', '{{state}}']],
  },
  { title: 'Imports: lines', unit: 'cps', queries: [[rate('spoor_import_lines_total', 'class'), '{{class}}']] },
  {
    title: 'Days with stale roll-ups',
    unit: 'none',
    queries: [['sum by (state) (spoor_rollups_dirty{job=~"$job"})', '{{state}}']],
  },
  {
    title: 'Jobs: failures in a row',
    unit: 'none',
    queries: [['max by (exported_job) (spoor_leased_job_failures{job=~"$job"})', '{{exported_job}}']],
  },
  {
    title: 'Evidence: statement duration, p99',
    unit: 's',
    queries: [[p99('spoor_evidence_statement_duration_seconds', 'kind'), '{{kind}}']],
  },
  {
    title: 'Evidence: failed statements',
    unit: 'cps',
    queries: [[rate('spoor_evidence_errors_total', 'kind'), '{{kind}}']],
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: [
      ['process_resident_memory_bytes{job=~"$job"}', 'process'],
      ['spoor_evidence_memory_bytes{job=~"$job"}', 'engine'],
    ],
  },
]

const WIDTH = 8
const HEIGHT = 7
/** Grafana fills it in with the chosen data source. */
const datasource = { type: 'prometheus', uid: '$datasource' }

/** The document that Grafana imports: Dashboards, New, Import. */
export function dashboard(): string {
  const document = {
    title: 'Spoor',
    uid: 'spoor',
    tags: ['spoor'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'job',
          label: 'Job',
          type: 'query',
          datasource,
          refresh: 2,
          multi: true,
          includeAll: true,
          query: 'label_values(spoor_build_info, job)',
          definition: 'label_values(spoor_build_info, job)',
        },
      ],
    },
    panels: PANELS.map(({ title, unit, queries }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title,
      datasource,
      gridPos: { x: (index % 3) * WIDTH, y: Math.floor(index / 3) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map(([expr, legendFormat], at) => ({
        refId: String.fromCharCode(65 + at),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
