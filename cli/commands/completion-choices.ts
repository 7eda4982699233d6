/** Which words may follow which on the command line, read from the commands themselves. */
import type { Command } from 'commander'

/** A word that may come next. */
export interface Choice {
  readonly word: string
  readonly about: string
}

/**
 * The words that may follow each command, and each option with a value; none: a file. Keys: ``, `site add`, `member add
 * --role`.
 */
export type Choices = ReadonlyMap<string, readonly Choice[]>

/** Everything that can be completed below a command. */
export function choicesBelow(command: Command, path = ''): Choices {
  const choices = new Map<string, readonly Choice[]>([[path, choicesOf(command)]])
  for (const { long, argChoices = [], required, optional } of command.options) {
    if ((required || optional) && long != null) choices.set(joined(path, long), argChoices.map(plain))
  }
  for (const child of command.commands) {
    for (const [key, value] of choicesBelow(child, joined(path, child.name()))) choices.set(key, value)
  }
  return choices
}

function choicesOf(command: Command): Choice[] {
  const children = command.commands.map((child) => ({ word: child.name(), about: child.description() }))
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map(plain))
  const options = command.options.map(({ long, description }) => ({ word: long ?? '', about: description }))
  return [...children, ...values, ...options, { word: '--help', about: 'show what the command takes, with examples' }]
}

const plain = (word: string): Choice => ({ word, about: '' })
const joined = (path: string, word: string) => (path === '' ? word : `${path} ${word}`)
