/** Contract revisions: what a source promises for a host (decisions 3.8). */
import { createHash } from 'node:crypto'
import type { ContractRevisionRow, CoverageIntervalRow, SourceRow } from '#control/tables.ts'
import { lowestSampling, statusFidelity } from '#sources/fidelity.ts'
import { EVERY_HOST } from '../coverage/source-groups.ts'
import { isWildcard, isWithin } from '../coverage/wildcard-hosts.ts'

type ProviderContract = Pick<ContractRevisionRow, 'provider' | 'adapter' | 'path_fidelity' | 'limitation'>

const PROVIDER_CONTRACTS: Record<SourceRow['source_type'], ProviderContract> = {
  cloudflare_zone: {
    provider: 'cloudflare',
    adapter: 'cloudflare_http_requests_adaptive_groups',
    path_fidelity: 'exact',
    limitation: 'Only requests that pass through Cloudflare are seen, and their time is known to the hour.',
  },
  https_intake: { provider: 'https_intake', adapter: 'https_intake', path_fidelity: 'exact', limitation: null },
  log_upload: {
    provider: 'log_upload',
    adapter: 'log_upload',
    path_fidelity: 'exact',
    limitation: 'Only what uploaded logs hold is seen.',
  },
}
const SERVERS = 'Only what uploaded logs hold is seen; all named servers of the site count together.'

/**
 * The revision of what a source promises for a host now. Its id is a hash of its content, so that equal promises are
 * the same revision, whether computed or stored. `intervals` may include rows of other sources.
 */
export function revisionOf(
  source: SourceRow,
  hostname: string,
  intervals: readonly Pick<CoverageIntervalRow, 'source_id' | 'host' | 'sampling'>[],
): Omit<ContractRevisionRow, 'created_at'> {
  const own = intervals.filter(({ source_id }) => source_id === source.id)
  return revisionFor(source, hostname, lowestSampling(intervalsOfHost(hostname, own)))
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

/** The revision for a known lowest sampling. */
export function revisionFor(
  source: SourceRow,
  hostname: string,
  sampling: number | null,
): Omit<ContractRevisionRow, 'created_at'> {
  const provider = PROVIDER_CONTRACTS[source.source_type]
  const promise = {
    site_id: source.site_id,
    source_id: source.id,
    hostname,
    provider: provider.provider,
    adapter: provider.adapter,
    sampling,
    path_fidelity: provider.path_fidelity,
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
