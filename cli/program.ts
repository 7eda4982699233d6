/** The command line `spoor`: exit 0 done, 1 failed, 2 bad usage; errors on standard error, `--json` on standard output (decisions 1). */
import { Command } from 'commander'
import { withoutSteering } from '#names.ts'
import { version } from '#version.ts'
import { addAccountCommands } from './account.ts'
import { addAuthorityCommands, addGateCommands } from './authority.ts'
import { addBackupCommands } from './backup.ts'
import { commandHost } from './command-host.ts'
import { addConversionCommands } from './conversion.ts'
import { addDemoCommand } from './demo.ts'
import { addDoctorCommand } from './doctor.ts'
import { asksForJson, tellFailure } from './errors.ts'
import { addFunnelCommands } from './funnel.ts'
import { addImportCommand } from './import.ts'
import { addKeyCommands } from './key.ts'
import { addMemberCommands } from './member.ts'
import { addPropertyCommands } from './property.ts'
import { addRegistryCommands } from './registry.ts'
import { addServeCommand } from './serve.ts'
import { addSiteCommands } from './site.ts'
import { addSourceCommands } from './source.ts'
import { addTrackerCommands } from './tracker.ts'
import { addUserCommands } from './user.ts'

/** Runs one command line on its host, which gets the output and the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const json = asksForJson(args)
  try {
    await buildProgram({ json }).parseAsync(args, { from: 'user' })
  } catch (error) {
    commandHost().setExitCode(tellFailure(error, json))
  }
}

/** With `json` commander keeps its prose about bad usage to itself. */
function buildProgram({ json }: { json: boolean }): Command {
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
  addServeCommand(program)
  addSiteCommands(program)
  addKeyCommands(program)
  addUserCommands(program)
  addMemberCommands(program)
  addAccountCommands(program)
  addGateCommands(program)
  addAuthorityCommands(program)
  addSourceCommands(program)
  addTrackerCommands(program)
  addPropertyCommands(program)
  addConversionCommands(program)
  addFunnelCommands(program)
  addImportCommand(program)
  addBackupCommands(program)
  addRegistryCommands(program)
  addDoctorCommand(program)
  addDemoCommand(program)
  return program
}
