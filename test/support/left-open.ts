/**
 * Test files run one after the other in a process that lives on, and the engine takes one folder per process: a file
 * that leaves a store open makes the files after it fail. What is open is read from the process itself, so that nothing
 * has to register.
 */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, vi } from 'vitest'
import { openDatabases } from './open-databases.ts'

/** Sockets and threads end some time after they are asked to. */
const PATIENCE_MS = 10_000

/**
 * By the paths of open files; the first that fits names it. Of others only those count that lie where tests put their
 * files.
 */
const KINDS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\/control\.sqlite(-wal|-shm)?$/, 'a control store'],
  [/\/spool(\/|$)/, 'a spool of events'],
  [/\/lock$/, 'the lock of a data folder (a service or an installation)'],
  [/spoor-evidence-|\/evidence(\/|$)/, 'an evidence store (an engine session)'],
]
const RESOURCES: ReadonlyMap<string, string> = new Map([
  ['TCPServerWrap', 'a listening server'],
  ['PipeServerWrap', 'a listening socket file'],
  ['ProcessWrap', 'a child process'],
  ['Worker', 'a thread'],
])
/** Where systems with a process file system list the open files of a process. */
const OPEN_FILES = '/proc/self/fd'

/** What this process has open that a test file can leave behind, each with how often. */
export function openThings(): Map<string, number> {
  const temporary = `${realpathSync(tmpdir())}/`
  const files = [...new Set(openFiles())].flatMap((path) => {
    const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? (path.startsWith(temporary) ? 'a file' : null)
    return kind === null ? [] : [`${kind}: ${path}`]
  })
  const resources = process.getActiveResourcesInfo().flatMap((name) => RESOURCES.get(name) ?? [])
  const databases = [...openDatabases].map((name) => `a database of PostgreSQL: ${name}`)
  const counts = new Map<string, number>()
  for (const thing of [...files, ...resources, ...databases]) counts.set(thing, (counts.get(thing) ?? 0) + 1)
  return counts
}

function openFiles(): string[] {
  let descriptors: string[]
  try {
    descriptors = readdirSync(OPEN_FILES)
  } catch {
    return []
  }
  return descriptors.flatMap((descriptor) => {
    try {
      const path = readlinkSync(`${OPEN_FILES}/${descriptor}`)
      const isDevice = path.startsWith('/dev/') && !path.startsWith('/dev/shm/')
      return path.startsWith('/') && !isDevice ? [path.replace(/ \(deleted\)$/, '')] : []
    } catch {
      // The descriptor of the listing itself is closed again.
      return []
    }
  })
}

/** Names what is open now and was not, or not as often, in `before`. */
export function leftOpen(before: ReadonlyMap<string, number>): string[] {
  return [...openThings()]
    .filter(([thing, count]) => count > (before.get(thing) ?? 0))
    .map(([thing]) => thing)
    .sort()
}

/**
 * Fails the test file that is about to run, by name, when at its end it leaves something open or the process changed.
 */
export function guardFile(file: string): void {
  const before = openThings()
  const environment = { ...process.env }
  const folder = process.cwd()
  // The first hook of a file to be registered is the last one to run after it.
  afterAll(async () => {
    let left = leftOpen(before)
    for (
      const end = performance.now() + PATIENCE_MS;
      left.length > 0 && performance.now() < end;
      left = leftOpen(before)
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const changed = changedIn(environment)
    if (process.cwd() !== folder) changed.push('the working folder')
    if (vi.isFakeTimers()) changed.push('the timers')
    const complaints = [
      ...(left.length === 0 ? [] : [`leaves open: ${left.join('; ')}`]),
      ...(changed.length === 0 ? [] : [`does not put back: ${changed.join(', ')}`]),
    ]
    if (complaints.length > 0)
      throw new Error(`${file} ${complaints.join(', and ')}. Close it in afterEach or afterAll.`)
  })
}

/** Variables that are not as they were. */
export function changedIn(before: Readonly<Record<string, string | undefined>>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(process.env)])]
    .filter((name) => before[name] !== process.env[name])
    .map((name) => `the environment variable ${name}`)
}
