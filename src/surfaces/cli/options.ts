import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Config, readConfig } from '#config.ts'
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

/** An instant given as RFC 3339 with a zone, in epoch milliseconds. */
export function instantArgument(text: string): number {
  const at = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('Give an instant with a zone, for example 2026-03-01T12:00:00Z.')
  return at
}

export function portArgument(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('Give a port, 0 to 65535.')
  return Number(text)
}

/** One more of a repeatable option. */
export const collect = (text: string, before: string[]) => [...before, text]
