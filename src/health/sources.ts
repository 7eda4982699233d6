import { DAY_MS, instantText } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { nameSome } from '#quantities.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, type FindingCode, finding } from './findings.ts'
import { checkZones } from './zones.ts'

const SILENT_MS = 3 * DAY_MS

/** One finding for each thing that is wrong with any source, naming the sites. */
export async function checkSources({ control, clock }: DiagnosticContext): Promise<Finding[]> {
  const sites = await control.db.selectFrom('sites').select(['id', 'root_domain']).orderBy('root_domain').execute()
  if (sites.length === 0) return [finding('sites_missing', 'There is no site yet.')]
  const sources = Map.groupBy(await control.db.selectFrom('sources').selectAll().execute(), (row) => row.site_id)
  const wrong = new Map<FindingCode, string[]>()
  for (const { id, root_domain } of sites) {
    const of = sources.get(id) ?? []
    for (const code of faultsOf(of, clock.now())) {
      wrong.set(code, [...(wrong.get(code) ?? []), named(code, root_domain, of)])
    }
  }
  const zones = await checkZones(control)
  if (wrong.size + zones.length > 0)
    return [...[...wrong].map(([code, domains]) => finding(code, `${nameSome(domains)}.`)), ...zones]
  const recent = sites.length === 1 ? '1 site has' : `${sites.length} sites have`
  return [finding('sources', `${recent} recent evidence.`)]
}

function faultsOf(sources: readonly SourceRow[], now: number): FindingCode[] {
  if (sources.every((source) => source.connected_at === null)) return ['source_missing']
  const primary = sources.filter((source) => source.is_primary === 1)
  const newest = newestOf(sources)
  const faults: FindingCode[] = []
  if (inError(sources, 'log_upload').length > 0) faults.push('source_broken')
  if (inError(sources, 'https_intake').length > 0) faults.push('intake_silent')
  if (primary.length === 0) faults.push('source_not_primary')
  else if (now - newest > SILENT_MS) faults.push('source_silent')
  return faults
}

/** An upload is in error since its last import broke off, an intake since nothing was delivered for 24 hours. */
const inError = (sources: readonly SourceRow[], type: SourceRow['source_type']): SourceRow[] =>
  sources.filter(({ source_type, connection_status }) => source_type === type && connection_status === 'error')

function named(code: FindingCode, root_domain: string, sources: readonly SourceRow[]): string {
  if (code === 'source_silent') return `${root_domain} (${newestText(sources)})`
  if (code !== 'intake_silent') return root_domain
  return `${root_domain} (${inError(sources, 'https_intake')
    .map(({ name, id }) => name || id)
    .join(', ')})`
}

/** Up to when primary sources have reported, epoch milliseconds; minus infinity where none has. */
const newestOf = (sources: readonly SourceRow[]): number =>
  Math.max(
    ...sources
      .filter((source) => source.is_primary === 1)
      .map((source) => source.data_through ?? Number.NEGATIVE_INFINITY),
  )

function newestText(sources: readonly SourceRow[]): string {
  const newest = newestOf(sources)
  return Number.isFinite(newest) ? `up to ${instantText(newest)}` : 'none yet'
}
