/** What commands read from the environment besides the settings of Spoor (src/config.ts). */
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { commandHost } from './command-host.ts'

/** The data folder that the environment names, as it is written there; null if it names none. */
export function configuredDataFolder(): string | null {
  const { SPOOR_DATA } = commandHost().environment
  return SPOOR_DATA === undefined || SPOOR_DATA === '' ? null : SPOOR_DATA
}

/**
 * Where programs of this user store state that should survive a restart (XDG Base Directory Specification).
 * @throws Error of the system: the user has no home, as some users of containers.
 */
export function stateFolder(): string {
  const { XDG_STATE_HOME = '' } = commandHost().environment
  return isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), '.local', 'state')
}

/** Where a shell looks for programs, in its order. */
export function executableFolders(): string[] {
  const { PATH = '' } = commandHost().environment
  return PATH.split(delimiter).filter(isAbsolute)
}
