/** `completion`: a script that completes commands in a shell. It has all of them, so that Tab does not start Spoor. */
import { Argument, type Command } from 'commander'
import { procedure } from '../command.ts'
import { LAUNCHER_COMMAND } from '../host/program-name.ts'
import { positional } from '../input/parameters.ts'
import { printJson, printLine } from '../output.ts'
import { choicesBelow } from './completion-choices.ts'
import { bashScript, fishScript, zshScript } from './completion-scripts.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
type Shell = keyof typeof SCRIPTS

const shell = positional<Shell>(new Argument('<shell>', 'the shell that you use').choices(Object.keys(SCRIPTS)))

/** Adds itself to the program whose commands it completes. */
export function completionCommand(program: Command): void {
  const about = 'print the completion of commands and options for a shell'
  const declare = procedure('completion', about, { shell }, async ({ shell }, { json }) => {
    const script = SCRIPTS[shell](choicesBelow(program), LAUNCHER_COMMAND)
    if (json) printJson({ shell, script })
    else printLine(script)
  })
  declare(program)
}
