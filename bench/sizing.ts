/**
 * How many processors and how much disk an installation needs, by the unit costs below and the proportions of
 * docs/operating/sizing.md. Run: npm run bench -- sizing SITES REQUESTS_A_MONTH [events a month, default as many]
 */
import { needsOf, type UnitCosts, usualLoad } from './parts/cost-model.ts'
import { row } from './parts/figures.ts'

/** As measured by `npm run bench -- unit-costs`; docs/operating/sizing.md says when and where. */
export const MEASURED: UnitCosts = {
  crawler_record_us: 313.2,
  human_record_us: 13.1,
  event_us: 1_257,
  answer_us: 214,
  read_ms: 105.3,
  delivery_ms: 70.7,
  shared_delivery_ms: 17.1,
  site_minute_ms: 544.1,
  most_of_open_days: 1.074,
  idle_minute_ms: 1_550,
  request_bytes: 54,
  event_bytes: 88.7,
  answer_bytes: 244.4,
}
/** The average share of a processor that may be busy, because load varies by the hour and merges come in bursts. */
const AT_WORK = 0.4

const given = process.argv.slice(2).map(Number)
const [sites = 0, requests = 0, events = requests] = given
if (given.length > 3 || !given.every(Number.isSafeInteger) || sites < 1 || requests < 1 || events < 0) {
  console.error('Usage: npm run bench -- sizing SITES REQUESTS_A_MONTH [EVENTS_A_MONTH], each a whole number')
  process.exitCode = 2
} else {
  const needs = needsOf(usualLoad(sites, requests, events), MEASURED)
  console.log('average number of busy processors, by kind of work')
  for (const [of, processors] of Object.entries(needs.processors)) console.log(row(of, processors.toFixed(3)))
  console.log(row('in all', needs.processors_in_all.toFixed(2)))
  console.log(row('cores to provide', Math.max(2, Math.ceil(needs.processors_in_all / AT_WORK))))
  console.log(row('disk after 400 days, GB', needs.disk_gb.toFixed(1)))
}
