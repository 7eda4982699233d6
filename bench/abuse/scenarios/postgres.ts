/** A PostgreSQL server that is stopped, is slow, hangs, resets connections, is killed, or is replaced. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { createDatabase, type PostgresServer, startPostgres } from '../../../test/support/postgres.ts'
import { openProxy, type StoreProxy, through } from '../delaying-proxy.ts'
import { prepare } from '../installed.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'
import { AWAY_MS, DURABLE, SLOW_MS, TIMES } from './store-failures.ts'

/** The delay of each piece of a conversation; a statement waits twice as long. */
const POSTGRES_DELAY_MS = 60
/** Longer than the service waits for a connection. */
const HANG_MS = 12_000
const RESETS = 12
const KILLS = 6

const REPLICATED = { ...DURABLE, wal_level: 'replica', max_wal_senders: '4' }

export const postgresScenarios: readonly Scenario[] = [
  {
    name: 'postgres-down',
    does: `PostgreSQL refuses connections, then hangs, then is stopped, ${TIMES} times each`,
    holds: 'failures are said in the form of their surface, and nothing has to be restarted',
    run: (round) => onPostgres(round, takePostgresAway),
  },
  {
    name: 'postgres-slow',
    does: `every piece between service and PostgreSQL is ${POSTGRES_DELAY_MS} ms late (a delaying proxy), for ${SLOW_MS / 1_000} s`,
    holds: 'every request succeeds',
    run: (round) =>
      onPostgres(round, async ({ client }, { proxy }) => {
        proxy.delay(POSTGRES_DELAY_MS)
        await pause(SLOW_MS)
        await client.works()
        proxy.delay(0)
        return `${POSTGRES_DELAY_MS} ms`
      }),
  },
  {
    name: 'postgres-resets',
    does: `all connections to PostgreSQL are reset in the middle of a commit, ${RESETS} times`,
    holds: 'nothing acknowledged is lost, nothing is doubled',
    run: (round) => onPostgres(round, resetInCommits),
  },
  {
    name: 'postgres-backend-killed',
    does: `kill -9 of a random backend of PostgreSQL, which then restarts all of them, ${KILLS} times`,
    holds: 'the same',
    run: (round) => onPostgres(round, killBackends),
  },
  {
    name: 'postgres-failover',
    does: 'kill -9 of the primary; its synchronous standby is promoted, and the address leads there',
    holds: 'the same, without a start of the service',
    run: (round) => onPostgres(round, failOverToStandby, REPLICATED),
  },
]

interface Postgres {
  server: PostgresServer
  /** What has to be stopped after the round besides the server. */
  ends: (() => Promise<void>)[]
  proxy: StoreProxy
  url: string
}

async function onPostgres(
  round: Round,
  attack: (attacked: Attacked, postgres: Postgres, round: Round) => Promise<string>,
  settings: Readonly<Record<string, string>> = DURABLE,
): Promise<string> {
  const server = await startPostgres(settings)
  const proxy = await openProxy(Number(new URL(server.url).port))
  const ends: Postgres['ends'] = []
  try {
    const { url } = await createDatabase({ server })
    const { secrets, data } = await prepare(join(round.folder, 'data'), { SPOOR_DATABASE_URL: url })
    const installed = { secrets, data, env: { SPOOR_DATABASE_URL: through(url, proxy) } }
    const run = (attacked: Attacked) => attack(attacked, { server, proxy, url, ends }, round)
    return await underAttack(installed, run, { may_log_errors: true })
  } finally {
    await proxy.close()
    for (const end of ends) await end()
    await server.close()
  }
}

async function takePostgresAway({ client }: Attacked, { server, proxy }: Postgres, { says }: Round): Promise<string> {
  const ways: [string, () => Promise<void>, () => Promise<void>][] = [
    ['refuses', () => proxy.goAway(), () => proxy.comeBack()],
    ['hangs', async () => proxy.stall(), async () => proxy.goOn()],
    ['is stopped', () => server.stop(), () => server.start()],
  ]
  for (const [name, take, giveBack] of Array.from({ length: TIMES }, () => ways).flat()) {
    says(name)
    client.allow('refusals')
    const { refused } = client.counts
    await take()
    await pause(name === 'hangs' ? HANG_MS : AWAY_MS)
    await giveBack()
    await client.works()
    check(client.counts.refused > refused || name === 'hangs', `nothing was refused while PostgreSQL ${name}`)
    client.allow('success')
    await client.works()
  }
  return `${TIMES * ways.length} × away`
}

async function resetInCommits({ client }: Attacked, { proxy }: Postgres, { random, says }: Round): Promise<string> {
  let broken = 0
  client.allow('refusals')
  for (let time = 1; time <= RESETS; time++) {
    let is_reset = false
    proxy.onRequest = (bytes) => {
      if (!/commit/i.test(bytes.toString('latin1')) || random() < 0.5) return
      proxy.onRequest = null
      // The commit itself may succeed, and only its answer may be lost.
      const reset = () => {
        broken += proxy.reset()
        is_reset = true
      }
      if (random() < 0.5) reset()
      else setImmediate(reset)
    }
    while (!is_reset) {
      client.judge()
      await pause(20)
    }
    says(`${time} resets, ${broken} connections`)
    await client.works(1)
  }
  return `${RESETS} resets of ${broken} connections`
}

async function killBackends({ client }: Attacked, { url }: Postgres, { random, says }: Round): Promise<string> {
  client.allow('refusals')
  for (let time = 1; time <= KILLS; time++) {
    await pause(random() * 2_000)
    const own = new Client({ connectionString: url })
    own.on('error', () => {})
    await own.connect()
    const { rows } = await own.query(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    const { pid } = rows[Math.floor(random() * rows.length)] as { pid: number }
    process.kill(pid, 'SIGKILL')
    // The server ends this connection as well.
    await own.end().catch(() => {})
    says(`${time} backends killed`)
    await client.works(1)
  }
  return `${KILLS} killed`
}

async function failOverToStandby(
  { client }: Attacked,
  { server, proxy, ends }: Postgres,
  { folder, says }: Round,
): Promise<string> {
  says('a standby is made')
  const standby = await startStandby(server, folder)
  ends.push(() => standby.close())
  await client.works()
  client.allow('refusals')
  await server.kill()
  proxy.reset()
  await pause(AWAY_MS / 2)
  await executeOn(standby.url, 'SELECT pg_promote()')
  proxy.leadTo(Number(new URL(standby.url).port))
  says('the standby is promoted')
  await client.works()
  client.allow('success')
  await client.works()
  return '1 primary killed'
}

/** A second server that follows the first; commits are acknowledged once it has them too. */
async function startStandby(primary: PostgresServer, folder: string): Promise<PostgresServer> {
  const data = join(folder, 'standby')
  const session = new Client({ connectionString: primary.url })
  await session.connect()
  try {
    await session.query("SELECT pg_backup_start('standby', true)")
    execFileSync('cp', ['-a', primary.data, data])
    const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop()')
    rmSync(join(data, 'postmaster.pid'))
    writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
    writeFileSync(join(data, 'standby.signal'), '')
    const { port, username, password } = new URL(primary.url)
    const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
    // The server runs as another user, who owns the copied files and must be able to reach them.
    execFileSync('chown', ['-R', `--reference=${join(data, 'PG_VERSION')}`, data])
    for (const path of [folder, dirname(folder)]) chmodSync(path, 0o755)
    const standby = await startPostgres(REPLICATED, data)
    await session.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await session.query('SELECT pg_reload_conf()')
    const isFollowing = async () => {
      const replicas = await session.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
      return replicas.rows.length > 0
    }
    while (!(await isFollowing())) await pause(50)
    return standby
  } finally {
    await session.end()
  }
}

async function executeOn(url: string, sql: string): Promise<void> {
  const session = new Client({ connectionString: url })
  await session.connect()
  try {
    await session.query(sql)
  } finally {
    await session.end()
  }
}
