import { instantText } from '#clock.ts'
import type { Seen, SeenInput } from '#contract/dashboard-api/index.ts'
import { PURPOSES, type SCALAR_KINDS } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import { withReading } from '#crawlers/coverage/fall-back-to-roll-ups.ts'
import { publish, verdictOfPage } from '#crawlers/coverage/publish-count.ts'
import type { Row } from '#evidence/sql.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { type OpenedReading, openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { publishCount, publishVisits } from '#tracker/coverage/publish-count.ts'
import { readTrackerSettings } from '#tracker/privacy-settings.ts'
import { isEmptyScope } from '#tracker/scope.ts'
import { hasPages, type SeenQuestion, seenNames, seenPages } from './seen.sql.ts'

type SeenName = Row<ReturnType<typeof seenNames>>
type ScalarKind = (typeof SCALAR_KINDS)[number]

interface Declared {
  privacy_floor: number
  /** Kinds by event name and key. */
  kinds: Map<string, ScalarKind>
}

/**
 * Hosts, pages, events and properties that were observed in the window, to pick from where definitions are built
 * (decisions 7.4). Crawlers of every purpose count.
 */
export async function readSeen(ctx: TrackerContext, { window, limit, ...given }: SeenInput): Promise<Seen> {
  const search = given.search ?? null
  const reading = await openTrackerReading(ctx, {
    window,
    reader: 'events',
    also: (tx): Promise<Declared> => readDeclared(tx, ctx.site.id),
  })
  const { privacy_floor, kinds } = reading.also
  return withReading(ctx, { window, purpose: PURPOSES }, async (crawled) => {
    // One more than is listed says whether there is more.
    const question: SeenQuestion = { crawlers: crawled.scope, visitors: reading.scope, search, limit: limit + 1 }
    const [hosts, pages] = hasPages(question)
      ? [await ctx.evidence.all(seenPages(question, 'host')), await ctx.evidence.all(seenPages(question, 'page'))]
      : [[], []]
    const names = isEmptyScope(reading.scope) ? [] : await ctx.evidence.all(seenNames(question, privacy_floor))
    const counts = ({ host, pageviews, requests }: { host: string; pageviews: number; requests: number }) => ({
      pageviews: publishVisits(reading, pageviews),
      crawler_requests: publish(verdictOfPage(crawled, [host]), requests),
    })
    const events = listOf(reading, ofEvents(names), limit)
    const properties = listOf(reading, ofKeys(names), limit)
    return {
      as_of: instantText(reading.as_of),
      window: reading.range,
      search,
      limit,
      privacy_floor,
      hosts: {
        truncated: hosts.length > limit,
        rows: hosts.slice(0, limit).map((row) => ({ host: row.host, ...counts(row) })),
      },
      pages: {
        truncated: pages.length > limit,
        rows: pages.slice(0, limit).map((row) => ({ host: row.host, path: row.path, ...counts(row) })),
      },
      events: { ...events, rows: events.rows.map((row) => ({ name: row.name, events: row.events })) },
      properties: {
        ...properties,
        rows: properties.rows.map(({ name, key, events }) => ({
          event_name: name,
          key,
          events,
          scalar_kind: kinds.get(declaredAs(name, key)) ?? null,
        })),
      },
    }
  })
}

const ofEvents = (names: readonly SeenName[]) => names.filter(({ key }) => key === '')
const ofKeys = (names: readonly SeenName[]) => names.filter(({ key }) => key !== '')

function listOf(reading: OpenedReading, found: readonly SeenName[], limit: number) {
  const [first] = found
  const withheld = first === undefined ? 0 : first.list_withheld
  const shown = found.filter(({ is_withheld }) => is_withheld === 0).slice(0, limit)
  return {
    truncated: first !== undefined && first.list_rows - withheld > shown.length,
    withheld_count: publishCount(reading, withheld),
    rows: shown,
  }
}

const declaredAs = (name: string, key: string) => `${name}\n${key}`

async function readDeclared(tx: ControlTransaction, site_id: string): Promise<Declared> {
  const declared = await tx
    .selectFrom('properties')
    .select(['event_name', 'property_key', 'scalar_kind'])
    .where('site_id', '=', site_id)
    .where('ended_at', 'is', null)
    .execute()
  return {
    privacy_floor: (await readTrackerSettings(tx, site_id)).privacy_floor,
    kinds: new Map(declared.map((row) => [declaredAs(row.event_name, row.property_key), row.scalar_kind])),
  }
}
