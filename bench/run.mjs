/**
 * Runs a benchmark on Spoor's own Node with the launcher's settings, whichever Node npm runs on: npm run bench -- NAME
 * [arguments]. Plain JavaScript, because Node before 22 cannot run TypeScript.
 */
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch } from '../bin/launch.mjs'

/** Every benchmark with its arguments; the other files of this folder are parts of these. */
export const BENCHMARKS = {
  analytics: '[--small-open-day] [millions…]',
  'authority-gate': '[hosts, default 1000]',
  'brand-report': '[answers, default 1000000] [days, default 365] [folder, kept]',
  collect: '[seconds a round, default 6] [connections, default 256]',
  coverage: '',
  crawlers: '[millions…, default 1 3 10 30]',
  funnels: '[millions, default 10]',
  import: '[million lines, default 20] [folder, kept]',
  inspections: '',
  intake: '[batches of 5,000 records a figure, default 160] [senders, default 4]',
  issues: '[millions, default 10] [issues, default 10000]',
  'kill-collect': '[rounds, default 100]',
  'kill-rounds': '[rounds, default 100]',
  mentions: '',
  proof: '[FOLDER of vendors’ lists]',
  quota: '[hours of 1,100 requests, default 20]',
  ready: '[runs, default 10] [millions…]',
  robots: '',
  'slow-hosts': '',
  'sender-trial': 'LOG.gz [nginx|caddy] [seconds, default 60]',
  'tracker-trial': '',
}

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && Object.hasOwn(BENCHMARKS, name)) {
  // Benchmarks start further programs as `node`, which must be the same one.
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
