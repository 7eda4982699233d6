/** Commands as a table: the parameters of each, the operation that it carries out, and the text of its answer. */
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Config, readConfig } from '#config.ts'
import type { ManagementInput, ManagementOperationId, ManagementOutput } from '#contract/management-api/index.ts'
import type { MayCreate } from '#installation/missing-installation.ts'
import type { Refusal } from '#refusal.ts'
import { FailureInFolder } from './errors.ts'
import { EXAMPLES } from './examples.ts'
import { type FolderClient, mayCreateIn, openLocated, type RunOperation } from './folder/client.ts'
import { findDataFolder } from './folder/data-folder.ts'
import { commandHost } from './host/command-host.ts'
import { asTypedHere, repeatDataFolder } from './host/program-name.ts'
import { readFolder } from './input/argument-values.ts'
import {
  type CliParameter,
  inputOf,
  type ParameterRecord,
  type ParametersOf,
  together,
  type Values,
} from './input/parameters.ts'
import { lines, note, printJson, printText } from './output.ts'

/** Adds itself to commander. */
export type Entry = (parent: Command) => void

/** One run of a command, with the options that every command has (decisions 1). */
export interface CommandContext {
  /** Print one JSON document instead of text. */
  readonly json: boolean
  /**
   * The configuration of the environment, overridden by the command line; its folder may not exist yet. @throws
   * Refusal
   */
  config(): Config
  /**
   * The same with the data folder that the command found (folder/data-folder.ts).
   * @throws Refusal not_found, conflict
   */
  locate(): Promise<Config>
  /** Opens the data folder, or finds its server, when it is first needed. */
  run: RunOperation
  /** Releases the data folder; the next operation opens it again. */
  release(): Promise<void>
}

type Run<V, Result> = (values: V, context: CommandContext) => Promise<Result>

interface AnswerTexts<V, Answer> {
  /** The answer as text on standard output. */
  text(answer: Answer, values: V): string
  /** Notes about it on standard error. */
  notes?(answer: Answer, values: V, context: CommandContext): readonly string[] | Promise<readonly string[]>
  /** Why the command fails although the operation has answered. */
  failure?(answer: Answer): Refusal | null
}

/** The input of an operation; one without fields takes no parameters. */
type OperationInput<Input> = keyof Input extends never
  ? { parameters?: undefined }
  : { parameters: ParametersOf<Input> }

/** How every level of the command line declares its `help` command. */
export const HELP_COMMAND = ['help [command]', 'show the help of a command'] as const

/** A group of commands, such as `spoor source`. */
export function group(name: string, description: string, entries: readonly Entry[]): Entry {
  return (parent) => {
    const command = parent.command(name).description(description)
    command.helpCommand(...HELP_COMMAND).addHelpText('after', () => examplesText(command))
    for (const declare of entries) declare(command)
  }
}

/** A command that carries out one operation, whose id names it. */
export function operation<Id extends ManagementOperationId>(
  id: Id,
  description: string,
  definition: OperationInput<ManagementInput<Id>> & AnswerTexts<ManagementInput<Id>, ManagementOutput<Id>>,
): Entry {
  const input = inputOf((definition.parameters ?? {}) as ParametersOf<ManagementInput<Id>>)
  const run: Run<ManagementInput<Id>, ManagementOutput<Id>> = (values, context) => context.run(id, values)
  return entry(id, description, input, printing(run, definition))
}

/** A command of several steps, whose answer is printed. */
export function command<P extends ParameterRecord, Answer>(
  name: string,
  description: string,
  definition: { parameters: P; run: Run<Values<NoInfer<P>>, Answer> } & AnswerTexts<Values<NoInfer<P>>, Answer>,
): Entry {
  return entry(name, description, together(definition.parameters), printing(definition.run, definition))
}

/** A command that prints by itself. */
export function procedure<P extends ParameterRecord>(
  name: string,
  description: string,
  parameters: P,
  run: Run<Values<NoInfer<P>>, void>,
): Entry {
  return entry(name, description, together(parameters), run)
}

/** Any command, by its name or the operation that it carries out; its parameters as one. */
export function entry<V>(id: string, description: string, parameter: CliParameter<V>, run: Run<V, void>): Entry {
  return (parent) => {
    const command = parent.command(nameIn(parent.name(), id)).description(description)
    const read = parameter(command)
    // The demo makes its own data folder.
    if (id !== 'demo') {
      const about = MAKES_FOLDER.includes(id) ? NEW_FOLDER : FOUND_FOLDER
      command.addOption(new Option('--data <dir>', about).argParser(readFolder))
    }
    command.addHelpText('after', () => examplesText(command))
    command.option('--json', 'print one JSON document instead of text').action(async () => {
      const options = command.opts<{ data?: string; json?: true }>()
      if (options.data !== undefined) repeatDataFolder(options.data)
      const context = openContext(options)
      try {
        await run(await read(context.run), context)
      } catch (error) {
        throw new FailureInFolder(error, context.located())
      } finally {
        await context.release()
      }
    })
  }
}

/** Commands that create a data folder if there is none. */
const MAKES_FOLDER = ['serve', 'restore']
const NEW_FOLDER = 'data folder, made where it does not exist (default: SPOOR_DATA or ./data)'
const FOUND_FOLDER = "data folder (default: SPOOR_DATA, a running server's, ./data or the clone's)"

/**
 * The examples of a command as they can be typed in this folder; for a group, the first example of each command.
 */
function examplesText(command: Command): string {
  const below = leavesOf(command)
  const examples = below.flatMap((leaf) => (EXAMPLES[pathOf(leaf)] ?? []).slice(0, leaf === command ? undefined : 1))
  return examples.length === 0 ? '' : asTypedHere(lines('', 'Examples:', ...examples.map((line) => `  spoor ${line}`)))
}

/** The leaf commands below a command, or the command itself if it has none below. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

/** `source token create`: the names of a command below the program. */
export function pathOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

/** `source.token_create` is `create` in the group `token`, and `tracker.opt_out` is `opt-out` in `tracker`. */
function nameIn(group: string, id: string): string {
  const name = id.slice(id.lastIndexOf('.') + 1)
  return (name.startsWith(`${group}_`) ? name.slice(group.length + 1) : name).replaceAll('_', '-')
}

function printing<V, Answer>(run: Run<V, Answer>, { text, notes, failure }: AnswerTexts<V, Answer>): Run<V, void> {
  return async (values, context) => {
    const answer = await run(values, context)
    const noted = (await notes?.(answer, values, context)) ?? []
    await context.release()
    if (context.json) printJson(answer)
    else printText(text(answer, values))
    for (const text of noted) note(text, context.json)
    const failed = failure?.(answer) ?? null
    if (failed !== null) throw failed
  }
}

/**
 * A command that only reads creates nothing: a missing folder is most likely misspelt, and an empty database may be
 * meant for another installation. Contracts are loaded only when they are needed.
 */
async function mayCreateFor(id: ManagementOperationId, config: Config): Promise<MayCreate> {
  if (config.database_url === null && mayCreateIn(config) === 'all') return 'all'
  const { managementOperations } = await import('#contract/management-api/index.ts')
  return managementOperations.find((each) => each.id === id)?.effect === 'read' ? 'upgrade' : 'all'
}

interface OpenContext extends CommandContext {
  /** The data folder that the command found; null until it has searched. */
  located(): string | null
}

function openContext({ data: given, json }: { data?: string; json?: true }): OpenContext {
  let client: FolderClient | null = null
  let folder: string | null = null
  const config = () => {
    const read = readConfig(commandHost().environment)
    return given === undefined ? read : { ...read, data: given }
  }
  const locate = async () => {
    const read = config()
    folder ??= await findDataFolder(given)
    // `spoor serve` alone would use another folder, and create it.
    if (folder !== resolve(read.data)) repeatDataFolder(folder)
    return { ...read, data: folder }
  }
  return {
    json: json === true,
    config,
    locate,
    located: () => folder,
    async run(id, input) {
      if (client === null) {
        const located = await locate()
        client = await openLocated(located, json === true, await mayCreateFor(id, located))
      }
      return client.run(id, input)
    },
    async release() {
      const opened = client
      client = null
      await opened?.close()
    },
  }
}
