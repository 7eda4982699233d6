/** A real service on a fresh folder, with its clock in the test's hand. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pino from 'pino'
import { inject } from 'vitest'
import { createSiteKey } from '#accounts/site-keys.ts'
import { readConfig } from '#config.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import type { History } from '#demo/history.ts'
import type { Installation } from '#installation/installation.ts'
import { openInstallation } from '#installation/open-installation.ts'
import { importLog } from '#intake/import/import-log.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { Site } from '#sites/site.ts'
import { addSite } from '#sites/sites.ts'
import type { Collector, CollectorOptions } from '#tracker/collection/collector.ts'
import { buildHttpSurfaces } from '../../src/main.ts'
import { startClickHouseDouble } from './clickhouse.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { makeTestFolder, removeTestFolder } from './control.ts'
import { createDatabase, type TestDatabase } from './postgres.ts'
import { copyStore } from './shared.ts'

export interface TestService {
  folder: string
  clock: FakeClock
  installation: Installation
  crawlers: CrawlerContext
  addSite(domain: string): Promise<Site>
  /** A key of the operator; left out sites: every site. */
  createKey(sites?: Site[]): Promise<{ id: string; secret: string }>
  importText(site: Site, text: string | History, options?: { host?: string; label?: string }): Promise<ImportReceipt>
  rebuild(): Promise<number>
  /** Null unless asked for: it writes marks of its own. */
  collector: Collector | null
  /** Not listening. */
  http: ReturnType<typeof buildHttpSurfaces>
  /** A GET (or another method) over the real HTTP stack, without a socket. */
  ask(path: string, options?: AskOptions): Promise<Answer>
  /** Opens a socket on the loopback interface; returns the port. */
  listen(): Promise<number>
  close(): Promise<void>
}

export interface AskOptions {
  key?: string | null
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS'
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** Tests look into it with matchers; the contract checks its form. */
  json: Record<string, unknown>
}

/**
 * Opens a service whose clock stands at `now`; the first key made is sent with each request unless a test says
 * otherwise.
 */
export async function openTestService(
  now: string,
  folder = makeTestFolder(),
  /** `database`: the control store of a server of the test's own, already laid out. */
  options: {
    collects?: CollectorOptions
    database?: TestDatabase
    dashboard_folder?: URL
    /** The origin that browsers know the service by. */
    public_url?: string
  } = {},
): Promise<TestService> {
  const is_fresh = readdirSync(folder).length === 0
  const clock = fakeClock(now)
  const log = pino({ level: 'silent' })
  const shared = inject('control_store') === 'postgres' ? () => createDatabase({ migrated: true }) : () => null
  const database = options.database ?? (await shared())
  if (is_fresh) await copyStore('evidence', join(folder, 'evidence'))
  if (is_fresh && database === null) await copyStore('control.sqlite', join(folder, 'control.sqlite'))
  const on_server = inject('evidence_store') === 'clickhouse'
  const double = on_server ? await startClickHouseDouble(join(folder, 'evidence')) : null
  // A name server that takes no question: no test asks the outside.
  const dns_servers = ['127.0.0.1:1']
  const environment = options.public_url === undefined ? {} : { SPOOR_PUBLIC_URL: options.public_url }
  const database_url = database === null ? null : database.url
  const clickhouse = double === null ? null : { urls: [double.url], cluster: null }
  const on_servers =
    clickhouse === null ? {} : { secret_key: 'a'.repeat(64), collect: { mode: 'direct', folder: null } as const }
  const config = { ...readConfig(environment), data: folder, dns_servers, database_url, clickhouse, ...on_servers }
  const installation = await openInstallation({ config, clock, log, wait_ms: 0, verify_wait_ms: 0 })
  const crawlers = await installation.crawlers()
  const collector = options.collects === undefined ? null : await installation.openCollector(options.collects)
  const collecting = collector === null ? {} : { collector }
  const { dashboard_folder } = options
  const built = dashboard_folder === undefined ? {} : { dashboard_folder }
  const http = buildHttpSurfaces(installation, crawlers, { log, support_email: null, ...collecting, ...built })
  let key: string | null = null
  return {
    folder,
    clock,
    installation,
    crawlers,
    collector,
    http,
    addSite: (domain) => addSite(installation.operator, { ...installation.operator, domain }),
    async createKey(sites) {
      const named = sites === undefined ? {} : { sites: sites.map((site) => site.id) }
      const made = await createSiteKey(installation.operator, {
        user_id: installation.operator.user_id,
        name: 'test',
        ...named,
      })
      key ??= made.secret
      return made
    },
    importText(site, text, options = {}) {
      const content = typeof text === 'string' ? text : text.text()
      const request = { site, host: options.host ?? null, label: options.label ?? 'test.log' }
      return importLog(crawlers, request, Readable.from([Buffer.from(content, 'latin1')]))
    },
    rebuild: () => rebuildDirtyDays(crawlers),
    async ask(path, options = {}) {
      const bearer = options.key === undefined ? key : options.key
      const response = await http.inject({
        url: path,
        method: options.method ?? 'GET',
        headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...options.headers },
        ...(options.body === undefined ? {} : { payload: options.body as string }),
      })
      const isJson = /json/.test(String(response.headers['content-type']))
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: isJson && response.body !== '' ? JSON.parse(response.body) : {},
      }
    },
    listen: async () => Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port),
    async close() {
      await http.close()
      await collector?.stop()
      await installation.close()
      await double?.close()
      await database?.drop()
      removeTestFolder(folder)
    },
  }
}
