/** Which servers of this user run, each by a small file, so that commands find their data folders from anywhere. */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { serverListens } from '#surfaces/operator/socket-client.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import { stateFolder } from './user-environment.ts'

export interface RunningServer {
  /** Its data folder, absolute. */
  readonly folder: string
  /** It serves made-up history, which goes when it stops. */
  readonly is_demo: boolean
}

/**
 * Leaves a file that names the server, and returns what removes it again. What a killed server leaves does no harm:
 * readers ask whether anybody listens.
 * @throws Error of the file system, where this user has no place for such files; the server runs all the same.
 */
export function announceServer({ folder, is_demo }: RunningServer): () => void {
  const own = announcements()
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const file = join(own, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)
  writeFileSync(file, JSON.stringify({ folder, is_demo }), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The servers that answer on their socket now, by folder; what another user could have written is ignored. */
export async function findRunningServers(): Promise<RunningServer[]> {
  const servers = readAnnouncements(announcements()).filter(({ folder }) => isOwnFolder(folder))
  const listening = await Promise.all(servers.map(({ folder }) => listens(folder)))
  return servers.filter((_server, index) => listening[index])
}

const announcements = () => join(stateFolder(), 'spoor', 'running')

function readAnnouncements(own: string): RunningServer[] {
  if (!isOwnFolder(own)) return []
  return readdirSync(own).flatMap((name) => {
    const announced = parseAnnouncement(join(own, name))
    return announced === null ? [] : [announced]
  })
}

/** Null for what is not an announcement, such as a file that is being written. */
function parseAnnouncement(file: string): RunningServer | null {
  try {
    const { folder, is_demo } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return typeof folder === 'string' ? { folder: resolve(folder), is_demo: is_demo === true } : null
  } catch {
    return null
  }
}

/** A folder of this user that nobody else may write to: commands send secrets to the server whose socket lies there. */
function isOwnFolder(folder: string): boolean {
  try {
    const stats = lstatSync(folder)
    return stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o022) === 0
  } catch {
    // It is not there, or not for this user to see.
    return false
  }
}

async function listens(folder: string): Promise<boolean> {
  try {
    return await serverListens(socketPath(folder))
  } catch {
    // From here its path is too long for a socket.
    return false
  }
}
