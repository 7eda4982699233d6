/** The site that a command is about: its first argument, or `--site` anywhere on the command line. */
import { Argument, type Command, Option } from 'commander'
import { argument, type CliParameter, positional } from './parameters.ts'
import { isOptionOf } from './swallowed-options.ts'

const FLAG = '--site'

/** Exactly one site. */
export const siteArgument: CliParameter<string> = withFlag(argument('<site>', 'domain or id of the site'))

/** Any number of sites; none is an empty list. */
export const sitesArgument = (about: string): CliParameter<string[]> =>
  withFlag(positional<string[]>(new Argument('[site...]', about)))

function withFlag<T>(parameter: CliParameter<T>): CliParameter<T> {
  return (command) => {
    if (command.registeredArguments.length > 0)
      throw new Error(`the site is not the first argument of ${command.name()}`)
    command.addOption(new Option(`${FLAG} <site>`, 'the same as the argument'))
    return parameter(command)
  }
}

/** The command line with the values of `--site` in place of the argument, after the names of the command. */
export function placeSites(program: Command, args: readonly string[]): string[] {
  const names = namesIn(program, args)
  const [path, rest] = [args.slice(0, names.length), args.slice(names.length)]
  const named = names.at(-1)
  if (!named?.options.some(({ long }) => long === FLAG)) return [...args]
  const sites: string[] = []
  const others: string[] = []
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  for (let at = 0; at < rest.length; at++) {
    const [given, next] = [rest[at] as string, rest[at + 1]]
    if (at < end && given.startsWith(`${FLAG}=`)) sites.push(given.slice(FLAG.length + 1))
    // An option in the place of the site is left to the parser, which refuses it.
    else if (at < end - 1 && given === FLAG && next !== undefined && !isOptionOf(named, next)) {
      sites.push(next)
      at += 1
    } else others.push(given)
  }
  // If an option with one value is repeated, the last value counts, as everywhere.
  const placed = named.registeredArguments[0]?.variadic ? sites : sites.slice(-1)
  return [...path, ...placed, ...others]
}

/** The commands that the first words name, one below the other. */
function namesIn(program: Command, args: readonly string[]): Command[] {
  const [first, ...rest] = args
  const named = program.commands.find((command) => command.name() === first)
  return named === undefined ? [] : [named, ...namesIn(named, rest)]
}
