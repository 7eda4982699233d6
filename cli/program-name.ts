/**
 * How this program is called from where the user is. Texts write commands as `spoor COMMAND`; `asTypedHere` makes them
 * runnable.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { executableFolders } from './user-environment.ts'

/** The clone, or the folder of the installed package. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')

const LAUNCHER = join(PACKAGE_FOLDER, 'bin', 'spoor.mjs')

/** This program from any folder, for a shell. */
export const LAUNCHER_COMMAND = /^[\w./-]+$/.test(LAUNCHER) ? LAUNCHER : `'${LAUNCHER.replaceAll("'", "'\\''")}'`

/**
 * `npx spoor` inside the clone, where npm runs the clone's own program; elsewhere `spoor` where that is this program,
 * or the path of the launcher. `from`: the folder, absolute. Outside the clone `npx spoor` would fetch whatever a
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

/** A text with its commands as they can be typed in this folder. For prose only: data of the user stays as it is. */
export function asTypedHere(text: string): string {
  if (!text.includes('spoor ')) return text
  const name = programName()
  return text.replace(COMMAND, () => name)
}
