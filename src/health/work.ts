/** Unfinished work: deliveries that broke off, and days that no job rebuilds. */
import { MINUTE_MS } from '#clock.ts'
import { countOf, formatCount, nameSome } from '#quantities.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

const WAITING_MS = 15 * MINUTE_MS

/** Checks for broken deliveries and for days that are dirty for long. */
export async function checkWork(context: DiagnosticContext): Promise<Finding[]> {
  return [await checkDeliveries(context), await checkDays(context)]
}

/** A broken delivery matters until its source has finished a later one. */
async function checkDeliveries({ control }: DiagnosticContext): Promise<Finding> {
  const broken = await control.db
    .selectFrom('deliveries as broken')
    .innerJoin('sites', 'sites.id', 'broken.site_id')
    .select(['broken.id', 'sites.root_domain'])
    .where('broken.state', '=', 'broken')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as later')
            .select('later.id')
            .whereRef('later.source_id', '=', 'broken.source_id')
            .whereRef('later.started_at', '>', 'broken.started_at')
            .where('later.state', '=', 'finished'),
        ),
      ),
    )
    .execute()
  if (broken.length === 0) return finding('deliveries', 'Every source has finished its last delivery.')
  const domains = [...new Set(broken.map((row) => row.root_domain))].sort()
  return finding('delivery_broken', `${formatCount(broken.length)} broke off, of ${nameSome(domains)}.`)
}

/** A day waits since it was marked last, or since the end of a delivery that marked it, whichever is later. */
async function checkDays({ control, clock, service }: DiagnosticContext): Promise<Finding> {
  const rows = await control.db
    .selectFrom('dirty_days')
    .leftJoin('deliveries', 'deliveries.id', 'dirty_days.cause')
    .select(['dirty_days.site_id', 'day', 'dirty_days.state', 'marked', 'finished_at'])
    .where('kind', '=', 'crawlers')
    .where('marked', '>', 0)
    .execute()
  const days = [...Map.groupBy(rows, (row) => `${row.site_id} ${row.day}`).values()]
  const waiting = days.filter((entries) => {
    // Only imports have a delivery; live sources, retention and restores mark days without one.
    const since = entries.map(({ marked, finished_at }) => Math.max(marked, finished_at ?? marked))
    return entries.every((row) => row.state === 'written') && clock.now() - Math.max(...since) > WAITING_MS
  })
  if (waiting.length > 0)
    return finding(
      'dirty_days_waiting',
      `${formatCount(waiting.length)} of ${formatCount(days.length)} days that must be rebuilt wait.`,
    )
  return finding(
    'dirty_days',
    days.length === 0 ? 'Every day is up to date.' : rebuildingText(days.length, service !== null),
  )
}

function rebuildingText(day_count: number, is_served: boolean): string {
  const days = countOf(day_count, 'day')
  if (!is_served) return `${days} will be rebuilt when the service starts.`
  return `${days} ${day_count === 1 ? 'is' : 'are'} about to be rebuilt.`
}
