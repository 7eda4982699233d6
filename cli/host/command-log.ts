import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { logToStandardError, openLog } from '#log.ts'
import { commandHost } from './command-host.ts'
import { readableLog } from './readable-log.ts'

/**
 * Opens the service's log on the standard error of the running command: readable lines on a terminal, otherwise JSON.
 */
export function openCommandLog(level: Config['log_level']): Logger {
  const { log = logToStandardError(), stdout, stderr } = commandHost()
  return openLog(level, stdout.isTTY === true && stderr.isTTY === true ? readableLog(log) : log)
}

/** The log of a command that opens the data folder itself: failures only, without the state of a service. */
export function openQuietLog({ log_level }: Pick<Config, 'log_level'>): Logger {
  return openCommandLog(log_level === 'info' ? 'warn' : log_level)
}
