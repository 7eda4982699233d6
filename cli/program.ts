/** The command line: exit 0 done, 1 failed, 2 bad usage; errors on stderr, `--json` on stdout (decisions 1). */
import { Command, Help, type Option } from 'commander'
import { withoutControlCharacters } from '#names.ts'
import { version } from '#version.ts'
import { HELP_COMMAND } from './command.ts'
import { accountCommands } from './commands/account.ts'
import { alertCommands } from './commands/alert.ts'
import { answersCommands } from './commands/answers.ts'
import { authorityCommands, gateCommands } from './commands/authority.ts'
import { backupCommand, restoreCommand } from './commands/backup.ts'
import { brandCommands } from './commands/brand.ts'
import { checkCommand } from './commands/check.ts'
import { completionCommand } from './commands/completion.ts'
import { conversionCommands } from './commands/conversion.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { engineCommands } from './commands/engine.ts'
import { fixCommands } from './commands/fix.ts'
import { funnelCommands } from './commands/funnel.ts'
import { importCommand } from './commands/import.ts'
import { inspectionCommands } from './commands/inspection.ts'
import { issueCommands } from './commands/issue.ts'
import { keyCommands } from './commands/key.ts'
import { mcpCommand } from './commands/mcp.ts'
import { memberCommands } from './commands/member.ts'
import { migrateToCommand } from './commands/migrate-to.ts'
import { nodeCommands } from './commands/node.ts'
import { propertyCommands } from './commands/property.ts'
import { questionCommands } from './commands/question.ts'
import { registryCommands } from './commands/registry.ts'
import { reportCommand } from './commands/report.ts'
import { robotsCommands } from './commands/robots.ts'
import { scanCommands } from './commands/scan.ts'
import { searchDataCommands } from './commands/search-data.ts'
import { serveCommand } from './commands/serve.ts'
import { siteCommands } from './commands/site.ts'
import { sourceCommands } from './commands/source.ts'
import { tokenCommands } from './commands/token.ts'
import { trackerCommands } from './commands/tracker.ts'
import { userCommands } from './commands/user.ts'
import { asksForJson, reportFailure, SEE_HELP } from './errors.ts'
import { commandHost } from './host/command-host.ts'
import { asTypedHere, programName } from './host/program-name.ts'
import { placeSites } from './input/site-argument.ts'
import { findSwallowed } from './input/swallowed-options.ts'
import { lines } from './output.ts'

/** In the order of the help, by its headings. */
const COMMANDS = {
  'The service:': [
    serveCommand,
    demoCommand,
    doctorCommand,
    nodeCommands,
    backupCommand,
    restoreCommand,
    migrateToCommand,
  ],
  'Sites and where their evidence comes from:': [
    siteCommands,
    importCommand,
    sourceCommands,
    trackerCommands,
    alertCommands,
  ],
  'What crawlers meet:': [issueCommands, checkCommand, inspectionCommands, robotsCommands],
  'What counts as success:': [propertyCommands, conversionCommands, funnelCommands],
  'Brands in AI answers:': [
    brandCommands,
    questionCommands,
    answersCommands,
    engineCommands,
    scanCommands,
    fixCommands,
    searchDataCommands,
    mcpCommand,
  ],
  'People and keys:': [keyCommands, tokenCommands, userCommands, memberCommands, accountCommands],
  'How evidence is read:': [reportCommand, registryCommands, gateCommands, authorityCommands],
  'This command line:': [completionCommand],
} as const

const START = lines(
  'Start with three commands, the first in its own terminal:',
  '  spoor serve',
  '  spoor site add example.com',
  '  spoor import example.com /var/log/nginx/access.log',
  '',
  'To look around first, with made-up history: spoor demo',
  '',
)

/** Runs one command line on its host, which gets the output and the exit code. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const json = asksForJson(args)
  try {
    const program = buildProgram(json)
    await program.parseAsync(placeSites(program, args), { from: 'user' })
  } catch (error) {
    commandHost().setExitCode(reportFailure(error, json))
  }
}

/** With `json`, commander does not print its text about bad usage. */
export function buildProgram(json: boolean): Command {
  const program = new SuggestingCommand('spoor')
    .name(programName())
    .description(
      'Shows which AI crawlers visit your site, which pages they fetch and what they get, from your own logs.',
    )
    .helpOption('-h, --help', 'show this help')
    .version(version, '-v, --version', 'print the version')
    .addHelpText('before', () => asTypedHere(START))
    .showHelpAfterError(SEE_HELP)
    .exitOverride()
    // Long command names leave fewer than commander’s 40 characters for the text beside them.
    .configureHelp({ minWidthToWrap: 20, optionDescription })
    .configureOutput({
      writeOut: (text) => commandHost().stdout.write(text),
      writeErr: (text) => json || commandHost().stderr.write(withoutControlCharacters(text)),
    })
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading)
    for (const declare of commands) declare(program)
  }
  program.helpCommand(...HELP_COMMAND)
  return program
}

const help = new Help()

/** Commander does not say which options must be given. */
function optionDescription(option: Option): string {
  const text = help.optionDescription(option)
  return option.mandatory ? `${text} (required)` : text
}

/**
 * Commander reports a missing option before an unknown one. With `--nam` instead of `--name`, both apply, and only the
 * report of the unknown option suggests the right name.
 *
 * TRICKY: commander has both methods below without declaring them; test/cli/program.test.ts proves that it calls them.
 */
class SuggestingCommand extends Command {
  declare unknownOption: (flag: string) => void
  #unknown: string | undefined

  override createCommand(name?: string): SuggestingCommand {
    return new SuggestingCommand(name)
  }

  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    this.#refuseSwallowed(args)
    const parsed = super.parseOptions(args)
    this.#unknown = parsed.unknown[0]
    return parsed
  }

  /** @throws CommanderError: bad usage. */
  #refuseSwallowed(args: readonly string[]): void {
    const swallowed = findSwallowed(this, args)
    if (swallowed === null) return
    const { by, word } = swallowed
    this.error(
      `error: option '${by.flags}' argument missing: '${word}' is an option itself. If it is meant as the value, write ${by.long}=${word}`,
      { code: 'commander.optionMissingArgument' },
    )
  }

  missingMandatoryOptionValue({ flags }: Option): void {
    if (this.#unknown !== undefined) this.unknownOption(this.#unknown)
    this.error(`error: required option '${flags}' not specified`, { code: 'commander.missingMandatoryOptionValue' })
  }
}
