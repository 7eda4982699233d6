import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { seedHistory } from '#demo/seed.ts'
import { commandHost } from './command-host.ts'
import { openCommandLog } from './command-log.ts'
import { instantArgument, portArgument } from './options.ts'
import { note, printJson, printLine } from './output.ts'
import { reach } from './reach.ts'
import { refuseAddress } from './serve.ts'
import { onStopSignal } from './stop-signals.ts'

const DOMAIN = 'example.com'

interface DemoOptions {
  port: number
  days: number
  seed: number
  clock?: number
  json?: boolean
}

export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('serve a throw-away site full of seeded history: crawlers that came, visitors that a tracker saw')
    .addOption(new Option('--port <port>', 'port to listen on').argParser(portArgument).default(0, 'any free one'))
    .addOption(new Option('--days <days>', 'days of history before today').argParser(wholeArgument).default(90))
    .addOption(
      new Option('--seed <number>', 'the same seed makes the same history').argParser(wholeArgument).default(1),
    )
    .option('--clock <instant>', 'start the service clock, and end the history, at this instant', instantArgument)
    .option('--json', 'print one JSON document instead of text')
    .action(demo)
}

/** The same service, import and builder as everywhere, on a folder that goes when it stops. */
async function demo(options: DemoOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-demo-'))
  try {
    // Throw-away history never goes into a database that somebody keeps, and the default ports stay free for the real service.
    const config = {
      ...readConfig(commandHost().environment),
      data: folder,
      database_url: null,
      metrics: null,
      port: options.port,
    }
    const clock = systemClock(options.clock)
    const seed = { now: clock.now(), days: options.days, seed: options.seed }
    const stopping = new AbortController()
    onStopSignal(() => stopping.abort())
    // Loaded only here: other commands need neither stores nor HTTP.
    const { liveThrough } = await import('./demo-site.ts')
    const { startService } = await import('#main.ts')
    if (!options.json) note(`The site lives through ${options.days} days; that takes some seconds.`)
    const events = await liveThrough(config, DOMAIN, seed, stopping.signal)
    if (events === null) return
    const is_clock_simulated = options.clock !== undefined
    const opening = { config, clock, is_clock_simulated, log: openCommandLog('warn'), wait_ms: 0 }
    const service = await startService(opening).catch((error: unknown) => {
      throw refuseAddress(config, error)
    })
    const way = await reach(config)
    const { secret } = await way.run('key.create', { name: 'demo', sites: [] })
    const history = seedHistory(seed)
    const log = Readable.from([Buffer.from(history)])
    const receipt = await way.importLog({ site: DOMAIN, host: null, label: 'seeded history' }, log, () => {})
    await way.close()
    const shown = {
      url: service.url,
      site: DOMAIN,
      key: secret,
      welcome_link: service.welcome_link,
      stored: receipt.stored,
      events,
    }
    if (options.json) printJson(shown)
    else tell(shown)
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tell(shown: { url: string; key: string; welcome_link: string | null; stored: number; events: number }): void {
  const query = 'window=90d&purpose=search,assistant,training,unknown'
  printLine(
    `Spoor listens on ${shown.url} with ${shown.stored} seeded crawler requests and ${shown.events} visitors' events of ${DOMAIN}. API reference: ${shown.url}/docs`,
  )
  printLine(`API key: ${shown.key}`)
  if (shown.welcome_link !== null) printLine(`Choose the operator's password: ${shown.welcome_link}`)
  printLine()
  for (const ask of [`crawlers?${query}`, 'overview?window=30d', 'funnels?window=30d']) {
    printLine(`curl -H "Authorization: Bearer ${shown.key}" "${shown.url}/v1/sites/${DOMAIN}/${ask}"`)
  }
  note('Everything goes when you stop it (Ctrl-C).')
}

function wholeArgument(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 to 999.')
  return Number(text)
}
