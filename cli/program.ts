/** The command line: exit 0 done, 1 failed, 2 bad usage; errors on stderr, `--json` on stdout (decisions 1). */
import { Command } from 'commander'
import { withoutSteering } from '#names.ts'
import { version } from '#version.ts'
import { accountCommands } from './account.ts'
import { authorityCommands, gateCommands } from './authority.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import { brandCommands } from './brand.ts'
import { commandHost } from './command-host.ts'
import { conversionCommands } from './conversion.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { asksForJson, reportFailure } from './errors.ts'
import { funnelCommands } from './funnel.ts'
import { importCommand } from './import.ts'
import { keyCommands } from './key.ts'
import { memberCommands } from './member.ts'
import { propertyCommands } from './property.ts'
import { questionCommands } from './question.ts'
import { registryCommands } from './registry.ts'
import { serveCommand } from './serve.ts'
import { siteCommands } from './site.ts'
import { sourceCommands } from './source.ts'
import { tokenCommands } from './token.ts'
import { trackerCommands } from './tracker.ts'
import { userCommands } from './user.ts'

/** In the order of the help. */
const COMMANDS = [
  serveCommand,
  siteCommands,
  keyCommands,
  tokenCommands,
  userCommands,
  memberCommands,
  accountCommands,
  gateCommands,
  authorityCommands,
  sourceCommands,
  trackerCommands,
  propertyCommands,
  conversionCommands,
  funnelCommands,
  brandCommands,
  questionCommands,
  importCommand,
  backupCommand,
  restoreCommand,
  registryCommands,
  doctorCommand,
  demoCommand,
]

/** Runs one command line on its host, which gets the output and the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const json = asksForJson(args)
  try {
    await buildProgram(json).parseAsync(args, { from: 'user' })
  } catch (error) {
    commandHost().setExitCode(reportFailure(error, json))
  }
}

/** With `json` commander keeps its prose about bad usage to itself. */
function buildProgram(json: boolean): Command {
  const program = new Command('spoor')
    .description(
      'Which AI crawlers really came, to which pages, and what they got: observed evidence from your own logs.',
    )
    .version(version)
    .showHelpAfterError('Run the command with --help to see what it takes.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => commandHost().stdout.write(text),
      writeErr: (text) => json || commandHost().stderr.write(withoutSteering(text)),
    })
  for (const declare of COMMANDS) declare(program)
  return program
}
