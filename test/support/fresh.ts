/**
 * One service for all tests of a file, because opening one costs more than most tests, and a blank one for each of
 * them.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import { afterAll } from 'vitest'
import type { ControlStore } from '#control/store.ts'
import { rows, sql } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Installation } from '#installation/installation.ts'
import { BRAND_TABLES, EVIDENCE_TABLES } from '#jobs/purge-deleted.ts'
import { openTestService, type TestService } from './service.ts'

/** Rows of a table of any name. */
type Rows = Record<string, unknown>[]
type AnyTables = Record<string, Record<string, unknown>>

export interface FileService {
  /** The service with its clock at `now` and nothing in its stores but what a new installation has. */
  fresh(now: string): Promise<TestService>
}

/**
 * To be called once at the top of a file: opens the service when a test first asks for it and closes it after the file.
 */
export function serviceOfFile(): FileService {
  let opened: { service: TestService; blank: Map<string, Rows> } | null = null
  afterAll(async () => {
    await opened?.service.close()
    opened = null
  })
  return {
    async fresh(now) {
      if (opened !== null && !(await answers(opened.service))) {
        await opened.service.close()
        opened = null
      }
      if (opened === null) {
        const service = await openTestService(now)
        opened = { service, blank: await readAll(service.installation.control) }
      } else await makeBlank(opened.service, opened.blank, now)
      return { ...opened.service, ...keyOfItsOwn(opened.service) }
    },
  }
}

/** Some tests close the service or a store under it. */
async function answers({ installation, crawlers, http }: TestService): Promise<boolean> {
  const asked = await Promise.allSettled([
    installation.control.ping(),
    crawlers.evidence.ping(),
    http.inject('/healthz'),
  ])
  return asked.every(({ status }) => status === 'fulfilled')
}

/** The first key of a test is the one that its requests carry, not the first key of the file. */
function keyOfItsOwn(service: TestService): Pick<TestService, 'createKey' | 'ask'> {
  let key: string | null = null
  return {
    async createKey(sites) {
      const made = await service.createKey(sites)
      key ??= made.secret
      return made
    },
    ask: (path, options = {}) => service.ask(path, { ...options, key: options.key === undefined ? key : options.key }),
  }
}

async function makeBlank(
  { folder, clock, installation, crawlers }: TestService,
  blank: Map<string, Rows>,
  now: string,
): Promise<void> {
  clock.set(now)
  await installation.key_uses.flush()
  await restoreAll(installation.control, blank)
  await forgetQuotas(installation, folder)
  putBack(crawlers.evidence)
  await emptyEvidence(crawlers.evidence)
}

/** They lie beside the control store, and are made anew when they are next needed. */
async function forgetQuotas({ quotas, control }: Installation, folder: string): Promise<void> {
  await quotas.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `quotas.sqlite${suffix}`), { force: true })
  await control.db.schema.dropTable('quotas').ifExists().execute()
}

async function readAll({ db }: ControlStore): Promise<Map<string, Rows>> {
  const tables = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('kysely_'))
  const any = db as unknown as Kysely<AnyTables>
  return new Map(
    await Promise.all(tables.map(async (name) => [name, await any.selectFrom(name).selectAll().execute()] as const)),
  )
}

async function restoreAll(control: ControlStore, blank: Map<string, Rows>): Promise<void> {
  await control.transaction(async (tx) => {
    const any = tx as unknown as Kysely<AnyTables>
    // Sites hold nearly all rows and take them along; what refers to accounts and people goes before them.
    const last = ['users', 'accounts']
    const order = ['sites', ...[...blank.keys()].filter((name) => name !== 'sites' && !last.includes(name)), ...last]
    for (const table of order) await any.deleteFrom(table).execute()
    for (const table of order.reverse()) {
      const kept = blank.get(table) ?? []
      if (kept.length > 0) await any.insertInto(table).values(kept).execute()
    }
  })
}

/** Tests replace methods of the store to make it fail; those of its class come back. */
function putBack(evidence: EvidenceStore): void {
  for (const [key, value] of Object.entries(evidence)) {
    if (typeof value === 'function') Reflect.deleteProperty(evidence, key)
  }
}

const filled = rows(Type.Object({ table: Type.String() }))`
  SELECT name AS table FROM system.tables WHERE database = 'spoor' AND total_rows > 0 ORDER BY name`

const STAGED = ['import_rows', sql`spoor.import_rows`] as const

/** Names of agents and their labels stay: they belong to no site, and the service remembers that they are stored. */
async function emptyEvidence(evidence: EvidenceStore): Promise<void> {
  const tables = new Map([...EVIDENCE_TABLES, ...BRAND_TABLES, STAGED])
  for (const { table } of await evidence.all(filled)) {
    const named = tables.get(table)
    if (named !== undefined) await evidence.run(sql`TRUNCATE TABLE ${named}`)
  }
}
