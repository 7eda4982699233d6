import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { startChild, type TestChild } from './child.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { removeTestFolder } from './control.ts'
import { memoryDisk } from './memory-disk.ts'
import { createMigrated, type PostgresServer, startPostgres } from './postgres.ts'

let server: Promise<PostgresServer> | undefined
let pooler: Promise<{ url: string; child: TestChild }> | undefined
let stores: Promise<string> | undefined

/**
 * Offers to the whole run what it shares. Each thing is made when a test first asks, so that runs without it do not pay
 * for it.
 */
const endpoint = createServer(async (request, response) => {
  const found = { '/postgres': postgresUrl, '/pgbouncer': pgbouncerUrl }[request.url ?? ''] ?? storesFolder
  const [status, body] = await found().then(
    (said) => [200, said] as const,
    (error: Error) => [500, error.message] as const,
  )
  response.writeHead(status).end(body)
})

async function postgresUrl(): Promise<string> {
  server ??= startShared()
  return (await server).url
}

async function pgbouncerUrl(): Promise<string> {
  pooler ??= postgresUrl().then(async (url) => {
    const child = startChild(new URL('./pgbouncer.child.ts', import.meta.url), url)
    return { url: await child.line(), child }
  })
  return (await pooler).url
}

async function startShared(): Promise<PostgresServer> {
  const started = await startPostgres()
  await createMigrated(started)
  return started
}

/** A process of its own lays them out, because one that has opened the engine keeps its threads. */
async function storesFolder(): Promise<string> {
  const script = new URL('./lay-out-stores.child.ts', import.meta.url).pathname
  const env = { ...process.env, ...COMPILE_CACHE, UV_THREADPOOL_SIZE: '16' }
  stores ??= promisify(execFile)(process.execPath, [script], { env }).then(({ stdout }) => stdout.trim())
  return stores
}

export async function setup(project: TestProject): Promise<void> {
  // The processes of the tests inherit both, and so do their threads.
  const temporary = memoryDisk()
  Object.assign(process.env, COMPILE_CACHE, temporary === null ? {} : { TMPDIR: temporary })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const { port } = endpoint.address() as AddressInfo
  project.provide('shared', `http://127.0.0.1:${port}`)
}

export async function teardown(): Promise<void> {
  endpoint.close()
  endpoint.closeAllConnections()
  const { child } = (await pooler?.catch(() => undefined)) ?? {}
  if (child !== undefined) {
    child.process.stdin?.end()
    await once(child.process, 'exit')
  }
  await (await server?.catch(() => undefined))?.close()
  const folder = await stores?.catch(() => undefined)
  if (folder !== undefined) removeTestFolder(folder)
}
