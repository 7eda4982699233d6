import type { Command } from 'commander'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { Refusal } from '#refusal.ts'
import { openCommandLog } from './command-log.ts'
import { type CommonOptions, configOf, instantArgument, portArgument, withCommonOptions } from './options.ts'
import { note, printJson, printLine } from './output.ts'
import { FOLDER_WAIT_MS, refuseServed } from './reach.ts'
import { onStopSignal } from './stop-signals.ts'
import { askForSupervision } from './supervised.ts'

interface ServeOptions extends CommonOptions {
  host?: string
  port?: number
  clock?: number
}

export function addServeCommand(program: Command): void {
  withCommonOptions(
    program
      .command('serve')
      .description('run the service on embedded stores')
      .option('--host <address>', 'address to listen on (default: SPOOR_HOST or 127.0.0.1)')
      .option('--port <port>', 'port to listen on, 0 for any free one (default: SPOOR_PORT or 8080)', portArgument)
      .option('--clock <instant>', 'start the service clock at this instant, for archived logs', instantArgument),
  ).action(serve)
}

/** Serves until a signal asks it to stop; a later signal ends it at once. */
async function serve(options: ServeOptions): Promise<void> {
  const common = configOf(options)
  const config: Config = { ...common, host: options.host ?? common.host, port: options.port ?? common.port }
  await refuseServed(config)
  const log = openCommandLog(config.log_level)
  const pulse = askForSupervision(config.watchdog_seconds)
  // Loaded only here: other commands need neither stores nor HTTP.
  const { startService } = await import('#main.ts')
  const clock = systemClock(options.clock)
  const is_clock_simulated = options.clock !== undefined
  const opening = { config, clock, is_clock_simulated, log, pulse, wait_ms: FOLDER_WAIT_MS }
  const service = await startService(opening).catch((error: unknown) => {
    pulse?.stop()
    throw refuseAddress(config, error)
  })
  const stopAsked = new Promise<void>((resolve) => onStopSignal(() => resolve()))
  const { url, welcome_link } = service
  if (options.json) printJson(welcome_link === null ? { url } : { url, welcome_link })
  else {
    printLine(`Spoor listens on ${url}. API reference: ${url}/docs`)
    if (welcome_link !== null) printLine(`Choose the operator's password, once and within 24 hours: ${welcome_link}`)
  }
  if (welcome_link === null && !service.has_password) note(NO_PASSWORD)
  await stopAsked
  if (!options.json) note('Stopping.')
  await service.stop()
  pulse?.stop()
}

const NO_PASSWORD = 'Nobody has chosen a password yet. A link to choose one: spoor user reset-link'

/** An address that cannot be listened on is the caller's to change; any other failure stays as it is. */
export function refuseAddress({ host, port }: Config, error: unknown): unknown {
  const advice = ADVICE.get(String((error as NodeJS.ErrnoException | null)?.code))
  return advice === undefined
    ? error
    : new Refusal('invalid_input', `Spoor cannot listen on ${host} port ${port}: ${advice}`)
}

const OTHER_HOST = 'this machine has no such address. Give one of its own with --host, for example 127.0.0.1'
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there. Stop it, or choose another port with --port (0 takes any free one)'],
  ['EACCES', 'this user may not. Choose a port from 1024 up with --port'],
  ['EADDRNOTAVAIL', OTHER_HOST],
  ['ENOTFOUND', OTHER_HOST],
  ['EAI_AGAIN', OTHER_HOST],
])
