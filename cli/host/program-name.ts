/**
 * How this program is called from the current folder. Texts write commands as `spoor COMMAND`; `asTypedHere` makes them
 * runnable.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandHost, commandHost } from './command-host.ts'
import { executableFolders } from './user-environment.ts'

/** The clone, or the folder of the installed package. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const LAUNCHER = join(PACKAGE_FOLDER, 'bin', 'spoor.mjs')

/** This program from any folder, for a shell. */
export const LAUNCHER_COMMAND = shellWord(LAUNCHER)

/** One word for a shell, quoted only where it must be. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * `npx spoor` inside the clone, where npm runs the clone's own program; elsewhere `spoor` if that is this program, or
 * the path of the launcher. `from`: the folder, absolute. Outside the clone `npx spoor` would fetch whatever a
 * registry has under that name.
 */
export function programName(from = resolve('.')): string {
  const [project = PACKAGE_FOLDER] = PACKAGE_FOLDER.split('/node_modules/')
  if (!relative(project, from).startsWith('..')) return 'npx spoor'
  const installed = executableFolders()
    .map((folder) => join(folder, 'spoor'))
    .find((file) => existsSync(file))
  return installed !== undefined && realpathSync(installed) === LAUNCHER ? 'spoor' : LAUNCHER_COMMAND
}

/** `spoor` before the name of a command or an option; quoted text is user input. */
const COMMAND = /(?<!npx |[\w./"'-])spoor(?= (?:--)?[a-z])/g

/** The data folder for each running command that must be named, because the authors of texts do not know it. */
const givenFolders = new WeakMap<CommandHost, string>()

/** From now on texts of this command name `spoor serve` with this data folder. */
export function repeatDataFolder(given: string): void {
  givenFolders.set(commandHost(), given)
}

/** `spoor serve`, with a full stop at the end of the text, which could be read as part of the folder's name. */
const SERVE = /(?<!npx |[\w./"'-])spoor serve(?![\w-])(?:\.$)?/g

/** A text with its commands as they can be typed in this folder. For prose only: data of the user stays as it is. */
export function asTypedHere(text: string): string {
  if (!text.includes('spoor ')) return text
  const name = programName()
  const given = givenFolders.get(commandHost())
  const named = given === undefined ? text : text.replace(SERVE, () => `spoor serve --data${dataValue(given)}`)
  return named.replace(COMMAND, () => name)
}

/** A value that looks like an option is taken for one unless it follows an equals sign. */
const dataValue = (given: string): string => `${given.startsWith('-') ? '=' : ' '}${shellWord(given)}`
