/** ClickHouse servers (a double) that are stopped, are slow, hang, or die while another one answers. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startClickHouseDouble } from '../../../test/support/clickhouse.ts'
import { createDatabase, startPostgres } from '../../../test/support/postgres.ts'
import { openProxy, type StoreProxy, through } from '../delaying-proxy.ts'
import { prepare } from '../installed.ts'
import { check, type Round, type Scenario } from '../scenario.ts'
import { type Attacked, underAttack } from '../under-attack.ts'
import { AWAY_MS, DURABLE, SLOW_MS, TIMES } from './store-failures.ts'

const CLICKHOUSE_DELAY_MS = 150

export const clickHouseScenarios: readonly Scenario[] = [
  {
    name: 'clickhouse-down',
    does: `the ClickHouse server (a double) refuses connections, then hangs, ${TIMES} times each`,
    holds: 'events are refused, and so is all else that needs it, in the form of its surface',
    run: (round) => onClickHouse(round, (attacked, clickhouse) => takeClickHouseAway(attacked, clickhouse, round)),
  },
  {
    name: 'clickhouse-down-local',
    does: 'the same with SPOOR_COLLECT_MODE=local',
    holds: 'events are taken by the spool, other failures are said in the form of their surface',
    run: (round) =>
      onClickHouse(
        round,
        (attacked, clickhouse) => takeClickHouseAway(attacked, clickhouse, round, { has_spool: true }),
        { SPOOR_COLLECT_MODE: 'local' },
      ),
  },
  {
    name: 'clickhouse-slow',
    does: `every piece between service and ClickHouse is ${CLICKHOUSE_DELAY_MS} ms late, for ${SLOW_MS / 1_000} s`,
    holds: 'every request succeeds',
    run: (round) =>
      onClickHouse(round, async ({ client }, { proxies }) => {
        for (const proxy of proxies) proxy.delay(CLICKHOUSE_DELAY_MS)
        await pause(SLOW_MS)
        await client.works()
        for (const proxy of proxies) proxy.delay(0)
        return `${CLICKHOUSE_DELAY_MS} ms`
      }),
  },
  {
    name: 'clickhouse-failover',
    does: `of two addresses of the same ClickHouse double one dies in the middle of requests, in turn, ${TIMES * 2} times`,
    holds: 'the other one is asked; nothing is lost, nothing is doubled',
    run: (round) => onClickHouse(round, (attacked, clickhouse) => failOver(attacked, clickhouse, round)),
  },
]

interface ClickHouse {
  proxies: readonly [StoreProxy, StoreProxy]
}

async function onClickHouse(
  round: Round,
  attack: (attacked: Attacked, clickhouse: ClickHouse) => Promise<string>,
  settings: Readonly<Record<string, string>> = {},
): Promise<string> {
  const evidence = join(round.folder, 'evidence')
  mkdirSync(evidence)
  const server = await startPostgres(DURABLE)
  const double = await startClickHouseDouble(evidence)
  const port = Number(new URL(double.url).port)
  const proxies = [await openProxy(port), await openProxy(port)] as const
  try {
    const { url } = await createDatabase({ server })
    // Services on shared servers refuse to start without the key that they share.
    const env = { SPOOR_DATABASE_URL: url, SPOOR_SECRET_KEY: '7'.repeat(64) }
    const prepared = await prepare(join(round.folder, 'data'), { ...env, SPOOR_CLICKHOUSE_URL: double.url })
    const urls = proxies.map((proxy) => through(double.url, proxy)).join(',')
    const installed = { ...prepared, env: { ...env, ...settings, SPOOR_CLICKHOUSE_URL: urls } }
    return await underAttack(installed, (attacked) => attack(attacked, { proxies }), { may_log_errors: true })
  } finally {
    for (const proxy of proxies) await proxy.close()
    await double.close()
    await server.close()
  }
}

async function takeClickHouseAway(
  { client }: Attacked,
  { proxies }: ClickHouse,
  { says }: Round,
  { has_spool } = { has_spool: false },
): Promise<string> {
  for (let time = 1; time <= TIMES; time++) {
    for (const way of ['refuses', 'hangs']) {
      says(`${way}, time ${time}`)
      client.allow('refusals')
      const { refused, events } = client.counts
      for (const proxy of proxies) {
        if (way === 'hangs') proxy.stall()
        else await proxy.goAway()
      }
      await pause(AWAY_MS)
      check(!has_spool || client.counts.events > events, `no event was taken while ClickHouse ${way}`)
      for (const proxy of proxies) {
        if (way === 'hangs') proxy.goOn()
        else await proxy.comeBack()
      }
      await client.works()
      check(client.counts.refused > refused || way === 'hangs', `nothing was refused while ClickHouse ${way}`)
      client.allow('success')
      await client.works()
    }
  }
  return `${TIMES * 2} × away`
}

async function failOver({ client }: Attacked, { proxies }: ClickHouse, { random, says }: Round): Promise<string> {
  // A write that broke off in the middle is refused, because it may have been stored.
  client.allow('refusals')
  for (let time = 0; time < TIMES * 2; time++) {
    const dying = proxies[time % 2] as StoreProxy
    await pause(random() * 500)
    await dying.goAway()
    says(`address ${(time % 2) + 1} is gone`)
    await client.works()
    await dying.comeBack()
  }
  return `${TIMES * 2} deaths`
}
