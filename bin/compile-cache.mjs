/** Node keeps compiled code between commands, so that each starts in about half the time. */
import { lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * The folder for it in the user's own cache. Its content is executed, so only this user may be able to write to it;
 * null if there is no such folder, and nothing is cached. `NODE_COMPILE_CACHE` names another folder,
 * `NODE_DISABLE_COMPILE_CACHE=1` disables the cache.
 */
export function compileCacheFolder(env = process.env, home = ownHome()) {
  const given = env.XDG_CACHE_HOME ?? ''
  const usual = process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache')
  const base = isAbsolute(given) ? given : usual
  try {
    // As root in another user's home, that user could choose what root runs.
    if (base === usual && !isOwn(home)) return null
    mkdirSync(base, { recursive: true, mode: 0o700 })
    const own = join(base, 'spoor')
    const folder = join(own, 'compiled')
    if (!isOwn(base)) return null
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOwn(own) && isOwn(folder) ? folder : null
  } catch {
    // No home, a read-only one, or a file in its place: commands start without the cache.
    return null
  }
}

/** Empty if this user has none: without HOME the list of users is asked, which lacks some users of containers. */
function ownHome() {
  try {
    return homedir()
  } catch {
    return ''
  }
}

/** A real folder that only this user can write to. */
function isOwn(folder) {
  const stats = lstatSync(folder)
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0
}
