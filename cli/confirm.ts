/** What cannot be undone is asked first on a terminal; a script says --yes. */
import { createInterface } from 'node:readline'
import { Refusal } from '#refusal.ts'
import { commandHost } from './command-host.ts'
import type { CommonOptions } from './options.ts'
import { standardInputIsTerminal, takeStandardInput } from './standard-input.ts'

export interface ConfirmOptions extends CommonOptions {
  yes?: true
}

/** Returns when the person agrees. @throws Refusal invalid_input: they do not, or nobody can be asked. */
export async function confirm({ json }: ConfirmOptions, consequence: string): Promise<void> {
  if (json || !standardInputIsTerminal() || !commandHost().stderr.isTTY) {
    throw new Refusal(
      'invalid_input',
      `${consequence} Nothing was changed. If you mean it, repeat the command with --yes`,
    )
  }
  commandHost().stderr.write(`${consequence} Go on? [y/N] `)
  if (/^\s*y(es)?\s*$/i.test(await readAnswer())) return
  throw new Refusal('invalid_input', 'nothing was changed')
}

/** One line; the empty one at the end of the input. Signals stay the terminal's, so Ctrl-C ends the command as ever. */
async function readAnswer(): Promise<string> {
  const input = takeStandardInput()
  try {
    for await (const line of createInterface({ input, terminal: false })) return line
    return ''
  } finally {
    input.destroy()
  }
}
