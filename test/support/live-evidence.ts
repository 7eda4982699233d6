/**
 * Evidence of live sources, given by days and written to the real stores in the order that writers keep: dirty days,
 * facts, coverage.
 */
import { createHash, randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, instantText } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { type CoverageInput, recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { labelAgents } from '#crawlers/registry/label-agents.ts'
import { dayStart } from '#days/utc-day.ts'
import { jsonRows } from '#evidence/rows/json-rows.ts'
import { agentKey } from '#intake/facts/fact.ts'
import type { Site } from '#sites/site.ts'
import { fact } from '../evidence/facts.ts'
import type { TestService } from './service.ts'

export interface LiveSource {
  row: SourceRow
  /** Requests of one crawler at 12:00 of a day; `batch` distinguishes deliveries of the same requests from new ones. */
  saw(day: string, host: string, requests: number, options?: SeenOptions): Promise<void>
  /** CoveredDays from one instant to another; `data_through` and senders follow. */
  covered(from: string, to: string, options?: Partial<CoverageInput>): Promise<void>
  set(changes: Partial<SourceRow>): Promise<void>
}

export interface SeenOptions {
  crawler?: string
  batch?: string
  path?: string
}

export async function addLiveSource(
  { installation: { control }, clock, crawlers }: TestService,
  site: Site,
  source_type: SourceRow['source_type'],
  changes: Partial<SourceRow> = {},
): Promise<LiveSource> {
  const row: SourceRow = {
    id: randomUUID(),
    site_id: site.id,
    source_type,
    name: '',
    connection_status: 'live',
    is_primary: 1,
    created_at: clock.now(),
    connected_at: clock.now(),
    data_through: null,
    has_statuses: 1,
    moved_to: null,
    vantage: null,
    ...changes,
  }
  await control.db.insertInto('sources').values(row).execute()
  const set = async (values: Partial<SourceRow>) => {
    await control.db.updateTable('sources').set(values).where('id', '=', row.id).execute()
  }
  return {
    row,
    set,
    async saw(day, host, requests, { crawler = 'oai-searchbot', batch = 'first', path = '/' } = {}) {
      const delivery_id = randomUUID()
      const marks = { site_id: site.id, day, kind: 'crawlers', cause: delivery_id } as const
      await control.db
        .insertInto('dirty_days')
        .values({ ...marks, state: 'written', marked: 1 })
        .execute()
      const user_agent = documentedAgent(crawler)
      const agent_key = agentKey(user_agent)
      const agents = [[agent_key, user_agent, '', '2026-01-01 00:00:00.000']]
      await crawlers.evidence.insert('agents', jsonRows(agents), 1)
      await labelAgents(crawlers.evidence, await crawlers.registries.current(), [{ agent_key, user_agent }])
      await crawlers.evidence.insert('pages', jsonRows([[site.id, host, path, 'exact', 'content']]), 1)
      const facts = Array.from({ length: requests }, (_, at) =>
        fact({
          ...marks,
          host,
          path,
          source_id: row.id,
          user_agent,
          agent_key,
          event: eventOf(`${row.id} ${day} ${host} ${path} ${crawler} ${batch} ${at}`),
          at: `${instantText(dayStart(day) + 12 * HOUR_MS)
            .replace('T', ' ')
            .slice(0, 23)}`,
        }),
      )
      await crawlers.evidence.insert('requests', jsonRows(facts), facts.length)
    },
    async covered(from, to, options = {}) {
      const through = Date.parse(to)
      const silence = { silence_limit_ms: 0 }
      await control.transaction(async (tx) => {
        await recordCoverage(tx, {
          site_id: site.id,
          source_id: row.id,
          host: '*',
          quality: 'complete',
          reason: '',
          is_declared: 0,
          ...options,
          ranges: [{ from: Date.parse(from), to: through, ...silence }],
        })
        const known = await tx.selectFrom('sources').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
        await tx
          .updateTable('sources')
          .set({ data_through: Math.max(known.data_through ?? through, through) })
          .where('id', '=', row.id)
          .execute()
        const { sender: name } = options
        if (name === undefined) return
        // A late delivery does not set a sender back.
        const sender = await tx
          .selectFrom('senders')
          .select('last_record_at')
          .where((is) => is.and({ source_id: row.id, name }))
          .executeTakeFirst()
        const last = Math.max(sender?.last_record_at ?? through, through)
        const values = { last_record_at: last, last_received_at: last }
        await tx
          .insertInto('senders')
          .values({ source_id: row.id, name, ...values })
          .onConflict((conflict) => conflict.columns(['source_id', 'name']).doUpdateSet(values))
          .execute()
      })
    },
  }
}

/** A whole day and the ones after it, as the arguments of `covered`. */
export function wholeDays(from: string, to = from): [string, string] {
  return [instantText(dayStart(from)), instantText(dayStart(to) + DAY_MS)]
}

function documentedAgent(crawler: string): string {
  const entry = builtInDocument.entries.find((candidate) => candidate.crawler_id === crawler)
  return entry?.example_user_agents[0] as string
}

function eventOf(text: string): string {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 32)}`).toString()
}
