/** Installations that move: what every operation answers, and targets of a test's own. */
import { mkdirSync } from 'node:fs'
import pino from 'pino'
import { createAccountToken } from '#accounts/account-tokens.ts'
import { createSiteKey } from '#accounts/site-keys.ts'
import { type Config, readConfig } from '#config.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import type { TargetSettings } from '#move/target.ts'
import { findKeyCheck } from '#secrets/key-check.ts'
import { findKeyName } from '#secrets/secret-box.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { buildHttpSurfaces } from '../../src/main.ts'
import { startClickHouseDouble } from './clickhouse.ts'
import { fakeClock } from './clock.ts'
import { createDatabase, type PostgresServer } from './postgres.ts'

/** Of every installation that moves here. */
export const KEY = '7'.repeat(64)

const log = pino({ level: 'silent' })

export interface TestTarget {
  settings: TargetSettings
  execute(sql: string): Promise<Record<string, unknown>[]>
  remove(): Promise<void>
}

/** An empty database, on a server of one's own if it is given, and the double of a ClickHouse server without tables. */
export async function makeTarget(folder: string, server?: PostgresServer): Promise<TestTarget> {
  mkdirSync(folder, { recursive: true })
  const [database, double] = await Promise.all([
    createDatabase(server === undefined ? {} : { server }),
    startClickHouseDouble(folder),
  ])
  return {
    settings: {
      database_url: database.url,
      clickhouse: { urls: [double.url], cluster: null },
      secret_key_name: findKeyName(folder, { secret_key: KEY }),
      secret_key_check: findKeyCheck(folder, { secret_key: KEY }),
    },
    execute: database.execute,
    async remove() {
      await double.close()
      await database.drop()
    },
  }
}

/** Of a folder with embedded stores; with a target, of the same folder after it has moved. */
export function configOf(folder: string, target?: TestTarget): Config {
  const { database_url = null, clickhouse = null } = target?.settings ?? {}
  return { ...readConfig({}), data: folder, dns_servers: ['127.0.0.1:1'], database_url, clickhouse, secret_key: KEY }
}

/** Opened at an instant, as for a command. */
export const openAt = (config: Config, now: number): Promise<Installation> =>
  openInstallation({ config, clock: fakeClock(new Date(now).toISOString()), log, wait_ms: 0 })

export interface Secrets {
  site_key: string
  token: string
}

/** A site key and an account token, which must work on both sides of a move. */
export async function makeSecrets({ operator }: Installation): Promise<Secrets> {
  const { secret: site_key } = await createSiteKey(operator, { user_id: operator.user_id, name: 'test' })
  const made = await createAccountToken(operator, {
    user_id: operator.user_id,
    account_id: operator.account_id,
    name: 'test',
    scope: 'read',
  } as Parameters<typeof createAccountToken>[1])
  return { site_key, token: made.secret }
}

const SITE_PATHS = [
  ...['performance', 'crawlers', 'crawlers/gptbot', 'unregistered-agents', 'top-pages', 'sources', 'issues'],
  ...['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', 'journeys', 'revenue', 'events'],
]
/** What they say depends on the machine, or on what was asked before. */
const OF_THE_MOMENT = ['doctor', 'account.usage']

/** What every operation that reads answers, by name; refusals too. */
export async function everyAnswer(installation: Installation, secrets: Secrets): Promise<Map<string, unknown>> {
  const http = buildHttpSurfaces(installation, await installation.crawlers(), { log, support_email: null })
  const answers = new Map<string, unknown>()
  const ask = async (url: string, bearer: string) => {
    const answer = await http.inject({ url, headers: { authorization: `Bearer ${bearer}` } })
    answers.set(url, [answer.statusCode, answer.json()])
  }
  for (const path of SITE_PATHS) await ask(`/v1/sites/example.com/${path}?window=30d`, secrets.site_key)
  await ask('/v1/sites', secrets.site_key)
  const { rows: brands = [] } = (await (
    await http.inject({ url: '/api/v1/brands', headers: { authorization: `Bearer ${secrets.token}` } })
  ).json()) as { rows?: { id: string }[] }
  for (const { id } of brands) {
    for (const path of ['', '/questions', '/answers', '/report', '/fixes', '/urls']) {
      await ask(`/api/v1/brands/${id}${path}`, secrets.token)
    }
  }
  // Uses of keys are shown to their owners.
  await installation.key_uses.flush()
  for (const { id, effect, input: form } of managementOperations) {
    if (effect !== 'read' || OF_THE_MOMENT.includes(id)) continue
    const of_site = 'site' in form.properties ? { site: 'example.com' } : {}
    const inputs = 'brand' in form.properties ? brands.map((brand) => ({ ...of_site, brand: brand.id })) : [of_site]
    for (const input of inputs) {
      answers.set(
        `${id} ${JSON.stringify(input)}`,
        await runOperation(installation.operator, id, input as never).catch((error: unknown) => String(error)),
      )
    }
  }
  await http.close()
  return answers
}
