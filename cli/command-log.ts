import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { openLog } from '#log.ts'
import { commandHost } from './command-host.ts'

/** Opens the service's log where the running command has its standard error. */
export function openCommandLog(level: Config['log_level']): Logger {
  return openLog(level, commandHost().log)
}

/** The log of a command that opens the data folder itself: how a service fares is of no interest there, only what goes wrong. */
export function openQuietLog({ log_level }: Pick<Config, 'log_level'>): Logger {
  return openCommandLog(log_level === 'info' ? 'warn' : log_level)
}
