/** The running servers of this user, each in a small file, so that commands find their data folders from anywhere. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { geteuid } from 'node:process'
import { serverListens } from '#surfaces/operator/socket-client.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import { stateFolder } from '../host/user-environment.ts'

export interface RunningServer {
  /** Its data folder, absolute. */
  readonly folder: string
  /** It serves made-up history, which is deleted when it stops. */
  readonly is_demo: boolean
}

/**
 * Writes a file that names the server, and returns a function that removes it. The file of a killed server does no
 * harm, because readers check whether the server answers.
 * @throws Error of the file system if this user has no folder for such files; the server runs without it.
 */
export function announceServer({ folder, is_demo }: RunningServer): () => void {
  const own = announcements()
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const file = join(own, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)
  writeFileSync(file, JSON.stringify({ folder, is_demo }), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The servers that answer on their socket now, by folder; files that another user could have written are ignored. */
export async function findRunningServers(): Promise<RunningServer[]> {
  const servers = readAnnouncements().filter(({ folder }) => isOwnFolder(folder))
  const listening = await Promise.all(servers.map(({ folder }) => listens(folder)))
  return servers.filter((_server, index) => listening[index])
}

const announcements = () => join(stateFolder(), 'spoor', 'running')

/** Null if this user has no home, so that no server could be announced. */
function findAnnouncements(): string | null {
  try {
    return announcements()
  } catch {
    return null
  }
}

function readAnnouncements(): RunningServer[] {
  const own = findAnnouncements()
  if (own === null || !isOwnFolder(own)) return []
  return readdirSync(own).flatMap((name) => {
    const announced = parseAnnouncement(join(own, name))
    return announced === null ? [] : [announced]
  })
}

/** Null if the text is not an announcement, such as a file that is still being written. */
function parseAnnouncement(file: string): RunningServer | null {
  try {
    const { folder, is_demo } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof folder === 'string' ? { folder: resolve(folder), is_demo: is_demo === true } : null
  } catch {
    return null
  }
}

/** A folder that only this user can write to, because commands send secrets to the server whose socket is there. */
function isOwnFolder(folder: string): boolean {
  try {
    const stats = lstatSync(folder)
    return stats.isDirectory() && stats.uid === geteuid?.() && (stats.mode & 0o022) === 0
  } catch {
    // It does not exist, or this user cannot read it.
    return false
  }
}

async function listens(folder: string): Promise<boolean> {
  try {
    return await serverListens(socketPath(folder))
  } catch {
    // Its path from the working directory is too long for a socket.
    return false
  }
}
