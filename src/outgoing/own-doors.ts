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

/** A URL of PostgreSQL may name no host (the machine itself), or name it among its parameters; a path is a socket, not a door. */
function databaseDoors(database_url: string): Door[] {
  const named = database_url.replace(/^([^/]+:\/\/(?:[^/@]*@)?)(?=[/?]|$)/, '$1localhost')
  if (!URL.canParse(named)) return []
  const url = new URL(named)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return host.startsWith('/') ? [] : [{ host, port: port === '' ? POSTGRES_PORT : Number(port) }]
}
