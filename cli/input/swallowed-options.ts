/**
 * Commander takes the word after an option as its value: in `--timezone --data d1`, the zone would be `--data`, and the
 * command would use another data folder than the named one.
 */
import type { Command, Option } from 'commander'

const HELP_FLAGS = ['-h', '--help']

/** Whether a word of the command line is an option of the command, with a value behind `=` or without one. */
export function isOptionOf(command: Command, word: string): boolean {
  const [flag] = word.split('=', 1) as [string]
  return findOption(command, flag) !== undefined || HELP_FLAGS.includes(word)
}

/** The first option whose value would be another option of the command; null if there is none. */
export function findSwallowed(command: Command, args: readonly string[]): { by: Option; word: string } | null {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  for (let at = 0; at < end - 1; at++) {
    const by = findOption(command, args[at] as string)
    if (by?.required !== true) continue
    const word = args[at + 1] as string
    if (isOptionOf(command, word)) return { by, word }
    at += 1
  }
  return null
}

function findOption({ options }: Command, flag: string): Option | undefined {
  return options.find(({ long, short }) => flag === long || flag === short)
}
