/** The standard input of a command, which can be read once. */
import type { Readable } from 'node:stream'
import { Refusal } from '#refusal.ts'
import { type CommandHost, commandHost } from './command-host.ts'

const taken = new WeakSet<CommandHost>()

/** The stream of standard input, once; Refusal(not_readable) the second time. */
export function takeStandardInput(): Readable {
  const host = commandHost()
  if (taken.has(host)) throw new Refusal('not_readable', 'standard input can be read only once')
  taken.add(host)
  return host.openStandardInput()
}

/** True when a person can be asked. */
export function standardInputIsTerminal(): boolean {
  return commandHost().standardInputIsTerminal()
}
