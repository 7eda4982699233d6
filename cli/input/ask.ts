/** Asks a person at the terminal. Scripts use options instead. */
import { createInterface } from 'node:readline'
import type { ReadStream } from 'node:tty'
import { Refusal } from '#refusal.ts'
import { commandHost } from '../host/command-host.ts'
import { takeStandardInput } from './input-files.ts'

/** Returns if the person confirms what cannot be undone. @throws Refusal invalid_input: declined, or no terminal. */
export async function confirm(json: boolean, consequence: string): Promise<void> {
  if (json || !canAsk()) {
    throw new Refusal('invalid_input', `${consequence} Nothing was changed. To go ahead, repeat the command with --yes`)
  }
  commandHost().stderr.write(`${consequence} Go on? [y/N] `)
  // The terminal still handles signals, so Ctrl-C ends the command as usual.
  if (/^\s*y(es)?\s*$/i.test(await readLine(takeStandardInput(), { terminal: false }))) return
  throw new Refusal('invalid_input', 'nothing was changed')
}

/** Reads a line without echo. @throws Refusal invalid_input, with `otherwise`, when input is not a terminal. */
export async function askSecret(prompt: string, otherwise: string): Promise<string> {
  if (!canAsk()) throw new Refusal('invalid_input', otherwise)
  const { stderr } = commandHost()
  stderr.write(prompt)
  const input = takeStandardInput() as ReadStream
  input.setRawMode(true)
  try {
    return await readLine(input, { terminal: true })
  } finally {
    input.setRawMode(false)
    stderr.write('\n')
  }
}

const canAsk = () => commandHost().standardInputIsTerminal() && commandHost().stderr.isTTY === true

/** One line; empty at the end of the input. */
async function readLine(input: NodeJS.ReadableStream & { destroy(): unknown }, { terminal }: { terminal: boolean }) {
  try {
    for await (const line of createInterface({ input, terminal })) return line
    return ''
  } finally {
    input.destroy()
  }
}
