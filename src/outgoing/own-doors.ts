import type { Config } from '#config.ts'
import type { Door } from './destination.ts'

const POSTGRES_PORT = 5_432

/** The doors of the service and its control store that the configuration names; one on port 0 is known only once it listens. */
export function configuredDoors({ host, port, metrics, database_url }: Config): Door[] {
  const doors: Door[] = [{ host, port }]
  if (metrics !== null) doors.push({ host: metrics.host, port: metrics.port })
  if (database_url !== null) doors.push(...databaseDoors(database_url))
  return doors
}

/** Where a service listens; what is not open yet is null. */
export interface Listening {
  http_url: string | null
  metrics_url: string | null
}

/** The hosts of the configuration, which may be wildcards, with the ports that were free. */
export function openDoors({ host, metrics }: Config, listening: Listening | undefined): Door[] {
  const at = (named: string, url: string | null | undefined): Door[] =>
    url == null ? [] : [{ host: named, port: Number(new URL(url).port) }]
  return [...at(host, listening?.http_url), ...(metrics === null ? [] : at(metrics.host, listening?.metrics_url))]
}

/** A URL of PostgreSQL may name no host (the machine itself), or name it among its parameters; a path is a socket, not a door. */
function databaseDoors(database_url: string): Door[] {
  const named = database_url.replace(/^([^/]+:\/\/(?:[^/@]*@)?)(?=[/?]|$)/, '$1localhost')
  if (!URL.canParse(named)) return []
  const url = new URL(named)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return host.startsWith('/') ? [] : [{ host, port: port === '' ? POSTGRES_PORT : Number(port) }]
}
