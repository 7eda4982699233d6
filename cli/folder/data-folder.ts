/**
 * Which data folder a command uses (decisions 1). Only `serve`, `demo`, `restore` and, for a command that writes, an
 * explicit `--data` make one.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { refuseNonFolder } from '#control/folder-lock.ts'
import { Refusal } from '#refusal.ts'
import { PACKAGE_FOLDER } from '../host/program-name.ts'
import { configuredDataFolder } from '../host/user-environment.ts'
import { findRunningServers, type RunningServer } from './running-servers.ts'

/** Used if neither `--data` nor SPOOR_DATA names a folder. */
const USUAL_NAME = 'data'

/** Whether Spoor has created its stores in a folder, or begun to. Other programs also have folders named `data`. */
export function holdsSpoorData(folder: string): boolean {
  return ['lock', 'control.sqlite'].some((name) => existsSync(join(folder, name)))
}

/** Spoor's own files, which are in a data folder even after it has lost its control store. */
const OWN_NAMES = ['evidence', 'spool', 'payloads', 'secret.key', 'spoor.sock']

/** What a process leaves that was killed before it created stores. */
const LOCK_NAMES = ['lock', 'lock-journal']

/** Whether a folder has files, and none of them is Spoor's. False if it cannot be read: opening it reports why. */
export function holdsOtherFiles(folder: string): boolean {
  const names = namesIn(folder).filter((name) => !LOCK_NAMES.includes(name))
  return names.length > 0 && !OWN_NAMES.some((name) => names.includes(name))
}

/** What is beside a lock after stores were created; a refused restore leaves only the lock. */
const BESIDE_LOCK = ['evidence', 'spool', 'payloads']

/**
 * Whether the folder has no installation with its own control store, intact or damaged. False if it exists but cannot
 * be read: opening it reports why.
 */
export function lacksSpoorData(folder: string): boolean {
  const has = (name: string) => existsSync(join(folder, name))
  if (has('control.sqlite') || (has('lock') && BESIDE_LOCK.some(has))) return false
  try {
    readdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Whether a folder exists that this user cannot read. Its content is unknown; opening it reports why. */
function isClosed(folder: string): boolean {
  try {
    readdirSync(folder)
    return false
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Missing, a file, or another user's folder: opening it reports which.
    return []
  }
}

/**
 * The folder for a command that works on an installation. If `--data` or SPOOR_DATA is given, it decides alone: a
 * folder that the user named is never replaced by another. Otherwise, the first one that exists: the running server's,
 * `./data`, the clone's `data`, a running demo's, or one of the middle two that this user cannot read.
 * @param given the value of `--data`; it need not exist.
 * @returns the folder, absolute.
 * @throws Refusal not_found: no folder, with all places searched; not_readable: SPOOR_DATA names a file; conflict:
 * several servers run.
 */
export async function findDataFolder(given: string | undefined): Promise<string> {
  if (given !== undefined) return resolve(given)
  const named = configuredDataFolder()
  if (named !== null) {
    if (holdsSpoorData(resolve(named)) || isClosed(resolve(named))) return resolve(named)
    const misnamed = refuseNonFolder(resolve(named))
    if (misnamed !== null) throw misnamed
    throw new Refusal(
      'not_found',
      `the folder that SPOOR_DATA names holds no Spoor data: ${resolve(named)}. ${WHAT_NEXT}`,
    )
  }
  const usual = [...new Set([resolve(USUAL_NAME), join(PACKAGE_FOLDER, USUAL_NAME)])]
  const servers = await findRunningServers()
  const served = servers.filter(({ is_demo }) => !is_demo)
  const found =
    chooseServer(served, usual) ?? usual.find(holdsSpoorData) ?? chooseServer(servers, []) ?? usual.find(isClosed)
  if (found !== undefined) return found
  const places = ['--data (not given)', 'SPOOR_DATA (not set)', 'a running server of this user (none)']
  const looked = [
    ...places,
    ...usual.map((folder) => `${folder} (${existsSync(folder) ? HOLDS_NOTHING : 'not there'})`),
  ]
  throw new Refusal('not_found', `no data folder was found. Looked for: ${looked.join('; ')}. ${WHAT_NEXT}`)
}

const HOLDS_NOTHING = 'holds no Spoor data'
const WHAT_NEXT = 'To make a new one: spoor serve. To use another one: --data DIR.'

/** The folder of the only running server, or of the one in a usual place if several run; null if none runs. */
function chooseServer(servers: readonly RunningServer[], usual: readonly string[]): string | null {
  const folders = servers.map(({ folder }) => folder)
  const [first = null] = folders
  if (folders.length < 2) return first
  const near = usual.find((folder) => folders.includes(folder))
  if (near !== undefined) return near
  throw new Refusal('conflict', `several servers run: ${folders.join(', ')}. Name one of these folders with --data.`)
}
