import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { createMigrated, type PostgresServer, startPostgres } from './postgres.ts'

let server: Promise<PostgresServer> | undefined

/** Offers one PostgreSQL to the whole run. It starts when a test first asks, so that runs without one do not pay for it. */
const door = createServer(async (_request, response) => {
  server ??= startShared()
  const [status, body] = await server.then(
    ({ url }) => [200, JSON.stringify({ url })] as const,
    (error: Error) => [500, error.message] as const,
  )
  response.writeHead(status).end(body)
})

async function startShared(): Promise<PostgresServer> {
  const started = await startPostgres()
  await createMigrated(started)
  return started
}

export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as AddressInfo
  project.provide('postgres_server', `http://127.0.0.1:${port}/`)
}

export async function teardown(): Promise<void> {
  door.close()
  door.closeAllConnections()
  await (await server?.catch(() => undefined))?.close()
}
