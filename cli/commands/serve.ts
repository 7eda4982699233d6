import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { type Liveness, startLiveness } from '#health/liveness.ts'
import type { Service } from '#main.ts'
import { Refusal } from '#refusal.ts'
import { type CommandContext, procedure } from '../command.ts'
import { FOLDER_WAIT_MS, refuseServed } from '../folder/client.ts'
import { holdsSpoorData } from '../folder/data-folder.ts'
import { announceServer, type RunningServer } from '../folder/running-servers.ts'
import { commandHost } from '../host/command-host.ts'
import { openCommandLog } from '../host/command-log.ts'
import { asTypedHere } from '../host/program-name.ts'
import { onStopSignal } from '../host/stop-signals.ts'
import { readInstant, readPort } from '../input/argument-values.ts'
import { optional, type Values } from '../input/parameters.ts'
import { lines, note, printJson, printLine } from '../output.ts'

const parameters = {
  host: optional('--host <address>', 'address to listen on (default: SPOOR_HOST or 127.0.0.1)'),
  port: optional('--port <port>', 'port to listen on, 0 for any free one (default: SPOOR_PORT or 8080)', readPort),
  clock: optional('--clock <instant>', 'start the service clock at this instant, for archived logs', readInstant),
}
export const serveCommand = procedure(
  'serve',
  'run the service, with embedded stores unless servers are configured',
  parameters,
  serve,
)

/** Serves until a signal asks it to stop; a later signal ends it at once. */
async function serve(
  { clock: clock_at, ...address }: Values<typeof parameters>,
  context: CommandContext,
): Promise<void> {
  const config: Config = { ...context.config(), ...address }
  await refuseServed(config)
  await refuseTakenAddress(config)
  if (config.database_url !== null) {
    const { refuseForeignDatabase } = await import('#installation/require-installation.ts')
    await refuseForeignDatabase(config)
  }
  const log = openCommandLog(config.log_level)
  const liveness = askForSupervision(config.watchdog_seconds)
  // Loaded only here: other commands need neither stores nor HTTP.
  const { startService } = await import('#main.ts')
  const clock = systemClock(clock_at)
  const is_clock_simulated = clock_at !== undefined
  const opening = { config, clock, is_clock_simulated, log, liveness, wait_ms: FOLDER_WAIT_MS }
  const service = await startService(opening).catch((error: unknown) => {
    liveness?.stop()
    throw refuseAddress(config, error)
  })
  const stopRequested = new Promise<void>((resolve) => onStopSignal(() => resolve()))
  const { url, welcome_link } = service
  const withdraw = announce(log, { folder: resolve(config.data), is_demo: false })
  if (context.json) printJson(welcome_link === null ? { url } : { url, welcome_link })
  else printLine(framed(...startText(service, resolve(config.data))))
  if (context.json && welcome_link === null && !service.has_password) note(NO_PASSWORD, true)
  await stopRequested
  withdraw()
  if (!context.json) note('Stopping.')
  await service.stop()
  liveness?.stop()
}

/** What the person who started the service needs next. The link comes last, where it is noticed. */
function startText({ url, welcome_link, has_password }: Service, folder: string): string[] {
  const where = [`Spoor listens on ${url}. API reference: ${url}/docs`, `Data folder: ${folder}`]
  if (welcome_link !== null) {
    return [...where, "Choose the operator's password, once and within 24 hours:", welcome_link]
  }
  return has_password ? where : [...where, asTypedHere(NO_PASSWORD)]
}

/** Between two rules on a terminal, to stand out from the log. A box would prevent copying a long link whole. */
export function framed(...each: readonly string[]): string {
  const { stdout } = commandHost()
  if (stdout.isTTY !== true) return lines(...each)
  // Some terminals report a width of 0.
  const rule = '─'.repeat(Math.min(stdout.columns || RULE, RULE))
  return lines('', rule, ...each, rule)
}

const RULE = 80

/**
 * Lets commands of this user find the server from any folder. If this cannot be recorded, they need `--data`.
 */
export function announce(log: Logger, server: RunningServer): () => void {
  try {
    return announceServer(server)
  } catch (error) {
    log.debug({ err: error }, 'commands find this server only with --data or SPOOR_DATA')
    return () => {}
  }
}

const SIGN_OF_LIFE_MS = 2_000
const NO_PASSWORD = 'No password is set yet. To make a link to set one: spoor user reset-link'

/** Has the launcher restart this process if it crashes or is silent for `limit_seconds`; null without a launcher. */
function askForSupervision(limit_seconds: number): Liveness | null {
  const host = commandHost()
  if (limit_seconds === 0 || host.sendToLauncher === null) return null
  const silence_ms = limit_seconds * 1_000
  return startLiveness({
    every_ms: Math.min(SIGN_OF_LIFE_MS, silence_ms / 4),
    beat: () => host.sendToLauncher?.({ alive: { silence_ms } }),
  })
}

/**
 * Refuses an address that is in use before a new data folder is created, so that a failed start leaves no folder
 * behind. If the folder exists, the process that holds its lock may also hold the address and be about to end, so the
 * lock is awaited first.
 */
export async function refuseTakenAddress(config: Config, command?: 'demo'): Promise<void> {
  if (holdsSpoorData(config.data)) return
  const { host, port } = config
  const server = createServer().listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw refuseAddress(config, error, command)
  }
  server.close()
  await once(server, 'close')
}

/**
 * Words for an address that cannot be used, which the caller can change; any other error is returned unchanged.
 * A wrong port comes with a whole command, because `npm start --port 8081` passes no option on.
 */
export function refuseAddress({ host, port }: Config, error: unknown, command: 'serve' | 'demo' = 'serve'): unknown {
  const code = String((error as NodeJS.ErrnoException | null)?.code)
  const advice = ADVICE.get(code)
  if (advice === undefined) return error
  const other = code === 'EACCES' ? PORT_FOR_ALL : (port + 1) % PORTS
  const example = advice === OTHER_HOST ? '' : `: spoor ${command} --port ${other}`
  return new Refusal('invalid_input', `Spoor cannot listen on ${host} port ${port}: ${advice}${example}`)
}

const PORTS = 65_536
/** Every user may listen on it. */
const PORT_FOR_ALL = 8_080

const OTHER_HOST = 'this machine does not have this address. Give one that it has with --host, for example 127.0.0.1'
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there. Stop it, or choose another port with --port (0 takes any free one)'],
  ['EACCES', 'this user may not listen there. Choose a port from 1024 up with --port'],
  ['EADDRNOTAVAIL', OTHER_HOST],
  // A link-local address without its interface, and an address of IPv6 where the machine has none.
  ['EINVAL', OTHER_HOST],
  ['EAFNOSUPPORT', OTHER_HOST],
  ['ENOTFOUND', OTHER_HOST],
  ['EAI_AGAIN', OTHER_HOST],
])
