/** Contract revisions: what a source promises for a host (decisions 3.8). */
import { createHash } from 'node:crypto'
import type { Fidelity } from '#contract/vocabulary.ts'
import type { ContractRevisionRow, CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { lowestSampling, statusFidelity } from '#sources/fidelity.ts'
import type { ZoneHostnames } from '../coverage/site-coverage.ts'
import { EVERY_HOST, isWildcard, isWithin } from '../coverage/wildcard-hosts.ts'

type ProviderContract = Pick<ContractRevisionRow, 'provider' | 'adapter' | 'limitation'>

const PROVIDER_CONTRACTS: Record<SourceRow['source_type'], ProviderContract> = {
  cloudflare_zone: {
    provider: 'cloudflare',
    adapter: 'cloudflare_http_requests_adaptive_groups',
    limitation: 'Only requests that pass through Cloudflare are seen, and their time is known to the hour.',
  },
  https_intake: { provider: 'https_intake', adapter: 'https_intake', limitation: null },
  log_upload: {
    provider: 'log_upload',
    adapter: 'log_upload',
    limitation: 'Only what uploaded logs hold is seen.',
  },
}
const SERVERS = 'Only what uploaded logs hold is seen; all named servers of the site count together.'

/**
 * The revision of what a source promises for a host now. Its id is a hash of its content, so that equal promises are
 * the same revision, whether computed or stored. Intervals and zones may include rows of other sources.
 */
export function revisionOf(
  source: SourceRow,
  hostname: string,
  {
    intervals,
    zones,
  }: {
    intervals: readonly Pick<CoverageIntervalRow, 'source_id' | 'host' | 'sampling'>[]
    zones: readonly ZonePages[]
  },
): Omit<ContractRevisionRow, 'created_at'> {
  const own = intervals.filter(({ source_id }) => source_id === source.id)
  const sampling = lowestSampling(intervalsOfHost(hostname, own))
  return revisionFor(source, hostname, { sampling, path_fidelity: pathFidelity(source, zones) })
}

/** Whether the requests of a zone name their pages. */
type ZonePages = Pick<ZoneHostnames, 'source_id' | 'names_pages'>

/** `unavailable`: the plan of the zone does not say which pages requests were for. */
export function pathFidelity({ id }: Pick<SourceRow, 'id'>, zones: readonly ZonePages[]): Fidelity {
  const zone = zones.find(({ source_id }) => source_id === id)
  return zone === undefined || zone.names_pages ? 'exact' : 'unavailable'
}

/** The intervals of one source for a host: by its name, else by the closest wildcard, and those of all hosts. */
export function intervalsOfHost<Row extends Pick<CoverageIntervalRow, 'host'>>(
  hostname: string,
  own: readonly Row[],
): Row[] {
  const names = new Set(own.map(({ host }) => host))
  const wildcards = names.has(hostname) ? [] : [...names].filter((host) => isWildcard(host) && isWithin(hostname, host))
  const [closest] = wildcards.sort((a, b) => b.length - a.length)
  return own.filter(({ host }) => host === hostname || host === EVERY_HOST || host === closest)
}

/** The revision for a known lowest sampling and fidelity of paths. */
export function revisionFor(
  source: SourceRow,
  hostname: string,
  { sampling, path_fidelity }: Pick<ContractRevisionRow, 'sampling' | 'path_fidelity'>,
): Omit<ContractRevisionRow, 'created_at'> {
  const provider = PROVIDER_CONTRACTS[source.source_type]
  const promise = {
    site_id: source.site_id,
    source_id: source.id,
    hostname,
    provider: provider.provider,
    adapter: provider.adapter,
    sampling,
    path_fidelity,
    status_fidelity: statusFidelity(source),
    limitation: source.source_type === 'log_upload' && source.name !== '' ? SERVERS : provider.limitation,
  }
  return { id: uuidOf(JSON.stringify(promise)), ...promise }
}

/** A uuid that is derived from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
