import type { Command } from 'commander'
import pino from 'pino'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { startService } from '../../main.ts'
import { type CommonOptions, configOf, instantArgument, portArgument, withCommonOptions } from './options.ts'
import { note, printJson, printLine } from './output.ts'

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

/** Serves until a signal asks it to stop; a second signal ends it at once. */
async function serve(options: ServeOptions): Promise<void> {
  const common = configOf(options)
  const config: Config = { ...common, host: options.host ?? common.host, port: options.port ?? common.port }
  // Synchronous: a line written before a crash is not lost, and standard output stays the command's own.
  const log = pino({ level: config.log_level }, pino.destination({ dest: 2, sync: true }))
  const service = await startService({ config, clock: systemClock(options.clock), log, wait_ms: 1_000 })
  if (options.json) printJson({ url: service.url })
  else printLine(`Spoor listens on ${service.url}. API reference: ${service.url}/docs`)
  await stopSignal()
  if (!options.json) note('Stopping.')
  await service.stop()
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        resolve()
      })
    }
  })
}
