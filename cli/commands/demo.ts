import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { systemClock } from '#clock.ts'
import { SITE } from '#demo/stories.ts'
import type { InstallationOptions } from '#installation/installation.ts'
import { countOf, formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { type CommandContext, procedure } from '../command.ts'
import { openClient } from '../folder/client.ts'
import { openCommandLog } from '../host/command-log.ts'
import { onStopSignal } from '../host/stop-signals.ts'
import { readInstant, readPort, wholeNumber } from '../input/argument-values.ts'
import { option, optional, type Values } from '../input/parameters.ts'
import { note, printJson, printLine } from '../output.ts'
import { terminalBar } from '../progress-bar.ts'
import { announce, framed, refuseAddress, refuseTakenAddress } from './serve.ts'

const QUERY = 'window=90d&purpose=search,assistant,training,unknown'
const REQUESTS = [`crawlers?${QUERY}`, 'issues', 'overview?window=30d', 'funnels?window=30d']
const readCount = wholeNumber(/^[1-9]\d{0,2}$/, 'Give a whole number from 1 to 999.')
const port = new Option('--port <port>', 'port to listen on').argParser(readPort).default(0, 'any free one')
const days = new Option('--days <days>', 'days of history before today').argParser(readCount).default(90)
const seed = new Option('--seed <number>', 'the same seed makes the same history').argParser(readCount).default(1)
const parameters = {
  port: option<number>(port),
  days: option<number>(days),
  seed: option<number>(seed),
  clock: optional('--clock <instant>', 'start the service clock, and end the history, at this instant', readInstant),
}

export const demoCommand = procedure(
  'demo',
  'serve a throw-away site with made-up history of crawlers and visitors',
  parameters,
  demo,
)

/** The usual service, import and builder, on a folder that is deleted when it stops. */
async function demo(options: Values<typeof parameters>, context: CommandContext): Promise<void> {
  const data = makeFolder()
  try {
    // The demo writes to no configured database, sends no e-mail, and leaves the default ports to the real service.
    const own = { data, database_url: null, clickhouse: null, metrics: null, smtp: null }
    const config = { ...context.config(), ...own, port: options.port }
    // The history takes long, so a port that is in use is refused before.
    await refuseTakenAddress(config, 'demo')
    const clock = systemClock(options.clock)
    const seed = { now: clock.now(), days: options.days, seed: options.seed }
    const stopping = new AbortController()
    onStopSignal(() => stopping.abort())
    // Loaded only here: other commands need neither stores nor HTTP.
    const { playSite } = await import('./demo-site.ts')
    const { answerDemoHosts } = await import('#demo/web.ts')
    const { startService } = await import('#main.ts')
    if (!context.json)
      note(
        `Generating ${countOf(options.days, 'day')} of history for the demo site; this takes several seconds, longer on a busy machine.`,
      )
    const bar = context.json ? undefined : terminalBar('Generating [{bar}] {percentage}%')
    bar?.start(1, 0)
    const onProgress = (share: number) => bar?.update(share)
    const played = await playSite(config, seed, stopping.signal, onProgress).finally(() => bar?.stop())
    if (played === null) return
    const { stored, of_crawlers, events } = played
    const log = openCommandLog('warn')
    const is_clock_simulated = options.clock !== undefined
    const opening: InstallationOptions = {
      config,
      clock,
      is_clock_simulated,
      log,
      wait_ms: 0,
      standIn: (outgoing) => answerDemoHosts(outgoing, seed, clock),
    }
    const service = await startService(opening).catch((error: unknown) => {
      throw refuseAddress(config, error, 'demo')
    })
    const client = await openClient(config)
    const { secret: key } = await client.run('key.create', { name: 'demo', sites: [] })
    await client.close()
    const { url, welcome_link } = service
    const dashboard_link = await service.issueSignInLink()
    const withdraw = announce(log, { folder: data, is_demo: true })
    if (context.json) printJson({ url, site: SITE, folder: data, key, dashboard_link, welcome_link, stored, events })
    else {
      const curl = `curl -H "Authorization: Bearer ${key}"`
      for (const request of REQUESTS) printLine(`${curl} "${url}/v1/sites/${SITE}/${request}"`)
      printLine()
      const requests = `${formatCount(of_crawlers)} seeded crawler requests and ${formatCount(events)} visitors' events`
      const link = welcome_link === null ? [] : [`Choose the operator's password: ${welcome_link}`]
      const listens = `Spoor listens on ${url} with ${requests} of ${SITE}. API reference: ${url}/docs`
      printLine(
        framed(
          listens,
          `Open the dashboard, once: ${dashboard_link}`,
          `Data folder: ${data}`,
          `API key: ${key}`,
          ...link,
        ),
      )
      note('Everything is deleted when you stop it (Ctrl-C).')
    }
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    withdraw()
    await service.stop()
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

/** @throws Refusal not_readable: no folder can be made among the temporary files. */
function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'spoor-demo-'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Refusal(
      'not_readable',
      `the demo cannot make its folder in ${tmpdir()} (${code ?? message}): set TMPDIR to a folder that this user may write`,
    )
  }
}
