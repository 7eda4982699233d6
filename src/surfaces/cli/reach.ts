/** How a command reaches its data folder: through the server that runs on it, or by opening it (decisions 1). */
import type { Readable } from 'node:stream'
import pino from 'pino'
import { type Clock, systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { Receipt } from '#intake/import/receipt.ts'
import { openInstallation } from '../../main.ts'
import {
  type CommandInput,
  type CommandOutput,
  type OperatorCommandName,
  type OperatorContext,
  operatorCommands,
  operatorSite,
} from '../operator/commands.ts'
import { askServer, sendLog, serverListens } from '../operator/socket-client.ts'
import { socketPath } from '../operator/socket-path.ts'

/** Another command may be finishing on the same folder; that takes moments. */
const WAIT_MS = 5_000

export interface Progress {
  bytes: number
  lines: number
}

export interface Reach {
  run<N extends OperatorCommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>>
  importLog(
    asked: { site: string; host: string | null; label: string },
    log: Readable,
    onProgress: (progress: Progress) => void,
  ): Promise<Receipt>
  close(): Promise<void>
}

/** Opens the way; the caller closes it. */
export async function reach(config: Config, clock: Clock = systemClock()): Promise<Reach> {
  const path = socketPath(config.data)
  return (await serverListens(path)) ? throughServer(path) : openFolder(config, clock)
}

function throughServer(path: string): Reach {
  return {
    run: (name, input) => askServer(path, name, input) as Promise<CommandOutput<typeof name>>,
    importLog: (asked, log, onProgress) => sendLog(path, asked, log, onProgress),
    async close() {},
  }
}

async function openFolder(config: Config, clock: Clock): Promise<Reach> {
  const log = pino({ level: config.log_level === 'info' ? 'warn' : config.log_level }, pino.destination(2))
  const installation = await openInstallation({ config, clock, log, wait_ms: WAIT_MS })
  return {
    async run(name, input) {
      const run = operatorCommands[name].run as (ctx: OperatorContext, input: unknown) => Promise<unknown>
      return (await run(installation.operator, input)) as CommandOutput<typeof name>
    },
    async importLog(asked, chunks, onProgress) {
      const site = await operatorSite(installation.operator, asked.site)
      return importLog(
        await installation.crawlers(),
        { site, host: asked.host, label: asked.label },
        chunks,
        onProgress,
      )
    },
    close: () => installation.close(),
  }
}
