/**
 * pgbouncer in transaction mode before a PostgreSQL server (its URL is the argument), on a free port of 127.0.0.1, for
 * as long as standard input stays open. Prints the same URL with its own port. It takes no parameter in the startup
 * packet that it does not track, as installed by default.
 */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const [given = ''] = process.argv.slice(2)
const server = new URL(given)
/** It refuses to run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const folder = mkdtempSync(join(tmpdir(), 'spoor-pgbouncer-'))
const port = await freePort()
const users = join(folder, 'users')
writeFileSync(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
const settings = join(folder, 'pgbouncer.ini')
writeFileSync(
  settings,
  `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${server.username}
auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1
pool_mode = transaction
default_pool_size = 12
max_client_conn = 2000
server_idle_timeout = 5
`,
)
chmodSync(folder, 0o755)
const pooler = spawn('/usr/sbin/pgbouncer', ['-q', settings], { ...asNobody, stdio: ['ignore', 'pipe', 'pipe'] })
let said = ''
for (const stream of [pooler.stdout, pooler.stderr])
  stream.on('data', (chunk) => (said = (said + chunk).slice(-10_000)))
const failed = new Promise<never>((_, reject) => {
  pooler.on('error', (error) => reject(new Error(`pgbouncer does not start (apt-get install pgbouncer): ${error}`)))
  pooler.on('exit', (code) => reject(new Error(`pgbouncer ended with ${code}: ${said}`)))
})
failed.catch(() => {})
try {
  while (!(await Promise.race([answers(), failed]))) await pause(20)
  console.log(Object.assign(new URL(given), { port: String(port) }).href)
  for await (const _ of process.stdin);
} finally {
  pooler.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

function answers(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is_open: boolean) => {
      socket.destroy()
      resolve(is_open)
    }
    socket.on('connect', () => end(true)).on('error', () => end(false))
  })
}
