import type { Config } from '#config.ts'
import type { Endpoint } from './destination.ts'

const POSTGRES_PORT = 5_432

/** The configured endpoints of the service and its stores; port 0 is known only once it listens. */
export function configuredEndpoints({ host, port, metrics, database_url, clickhouse }: Config): Endpoint[] {
  const endpoints: Endpoint[] = [{ host, port }]
  if (metrics !== null) endpoints.push({ host: metrics.host, port: metrics.port })
  if (database_url !== null) endpoints.push(...databaseEndpoints(database_url))
  if (clickhouse !== null) endpoints.push(...clickhouse.urls.map(serverEndpoint))
  return endpoints
}

/** The addresses of a service's listeners; null: not open yet. */
export interface Listening {
  http_url: string | null
  metrics_url: string | null
}

/** The configured hosts, which may be wildcards, with the ports of open listeners. */
export function openEndpoints({ host, metrics }: Config, listening: Listening | undefined): Endpoint[] {
  const at = (named: string, url: string | null | undefined): Endpoint[] =>
    url == null ? [] : [{ host: named, port: Number(new URL(url).port) }]
  return [...at(host, listening?.http_url), ...(metrics === null ? [] : at(metrics.host, listening?.metrics_url))]
}

function serverEndpoint(text: string): Endpoint {
  const { hostname, port, protocol } = new URL(text)
  const usual = protocol === 'https:' ? 443 : 80
  return { host: hostname, port: port === '' ? usual : Number(port) }
}

/**
 * The endpoint of a PostgreSQL URL, whose host may be missing (this machine), a parameter, or the path of a socket
 * (none).
 */
function databaseEndpoints(database_url: string): Endpoint[] {
  const named = database_url.replace(/^([^/]+:\/\/(?:[^/@]*@)?)(?=[/?]|$)/, '$1localhost')
  if (!URL.canParse(named)) return []
  const url = new URL(named)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return host.startsWith('/') ? [] : [{ host, port: port === '' ? POSTGRES_PORT : Number(port) }]
}
