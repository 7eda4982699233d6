import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Config, readConfig } from '#config.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { commandHost } from './command-host.ts'

export interface CommonOptions {
  data?: string
  json?: boolean
}

/** The options that every command has (decisions 1). */
export function withCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('--data <dir>', 'folder of the embedded stores (default: SPOOR_DATA or ./data)'))
    .option('--json', 'print one JSON document instead of text')
}

/** The configuration of the environment with what the command line says instead. */
export function configOf(options: CommonOptions): Config {
  const config = readConfig(commandHost().environment)
  return options.data === undefined ? config : { ...config, data: options.data }
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** An instant that exists, from 1970 on as the stores count days, given as RFC 3339 with a zone, in epoch milliseconds. */
export function instantArgument(text: string): number {
  const day = INSTANT.exec(text)?.[1]
  // Date.parse reads 30 February as 2 March.
  const exists = day !== undefined && !Number.isNaN(dayStart(day)) && utcDay(dayStart(day)) === day
  const at = exists ? Date.parse(text.toUpperCase()) : Number.NaN
  if (at >= 0) return at
  throw new InvalidArgumentError(
    'Give an instant that exists, with its zone, 1970 or later, for example 2026-03-01T12:00:00Z.',
  )
}

export function portArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Give a port, 0 to 65535.')
  return Number(text)
}

/** One more of a repeatable option. */
export const collect = (text: string, before: string[]) => [...before, text]
