/**
 * Runs a benchmark on Spoor's own Node with the launcher's settings, whichever Node npm runs on: npm run bench -- NAME
 * [arguments]. Plain JavaScript, because Node before 22 cannot run TypeScript.
 */
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../bin/launch.mjs'

/** Every benchmark with its arguments; parts of several of them are in `parts`. */
export const BENCHMARKS = {
  abuse: '[--only NAME,…] [--rounds N] [--seed N] [--json] [--list]',
  analytics: '[--small-open-day] [millions…]',
  'authority-gate': '[hosts, default 1000]',
  'brand-report': '[answers, default 1000000] [days, default 365] [folder, kept]',
  collect: '[seconds a round, default 6] [connections, default 256] [embedded|direct|local|shared]',
  coverage: '',
  crawlers: '[--one-each] [--folder=KEPT] [--only=fill,dirty,derive,read] [millions…, default 1 3 10 30]',
  'crawlers-open-day': '[million requests of the day, default 3] [that arrive a second, default 2700]',
  dashboard: '[runs, default 3]',
  funnels: '[millions, default 10]',
  import: '[million lines, default 20] [folder, kept] [shares, such as 5,15]',
  inspections: '',
  intake: '[batches of 5,000 records a figure, default 160] [senders, default 4]',
  issues: '[millions, default 10] [issues, default 10000]',
  'kill-collect': '[rounds, default 100]',
  'kill-rounds': '[rounds, default 100]',
  mentions: '',
  migrate: '[million requests, default 2] [million events, default 1]',
  mixed: '[--scaled] [minutes, default 60] [percent, default 70] [sites, default 10]',
  nodes: '[kills a mode, default 5] [seconds between, default 60] [senders, default 16]',
  proof: '[FOLDER of vendors’ lists]',
  quota: '[hours of 1,100 requests, default 20]',
  ready: '[runs, default 10] [millions…]',
  robots: '',
  sizing: 'SITES REQUESTS_A_MONTH [EVENTS_A_MONTH]',
  'slow-hosts': '',
  'sender-trial': 'LOG.gz [nginx|caddy] [seconds, default 60]',
  'tracker-trial': '',
  'unit-costs': '[seconds of each, default 40] [minutes of the hundredth, default 5]',
}

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && Object.hasOwn(BENCHMARKS, name)) {
  // Benchmarks start other programs as `node`, which must be the same Node.
  const programs = fileURLToPath(new URL('../node_modules/.bin', import.meta.url))
  process.env.PATH = `${programs}${delimiter}${process.env.PATH ?? ''}`
  launch(new URL(`${name}.ts`, import.meta.url), args)
} else {
  const lines = Object.entries(BENCHMARKS).map(([each, takes]) => `  ${each} ${takes}`.trimEnd())
  const said = name === undefined ? 'No benchmark is named.' : `${JSON.stringify(name)} is not a benchmark.`
  console.error(`spoor: ${said} Usage: npm run bench -- NAME [arguments], with NAME one of:`)
  console.error(lines.join('\n'))
  process.exitCode = 2
}
