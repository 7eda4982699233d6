/**
 * The shortest time for which the event loop can be blocked on this machine: a process that receives the same batches,
 * passes them to a thread that parses them, has the engine insert as many prepared facts, and answers. It checks
 * nothing, stores nothing that it received, and has no control store.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { factRows, openEngine } from './insert-rate.ts'

export interface FloorServer {
  url: string
  close(): Promise<void>
}

export async function openFloor(folder: string, records: number): Promise<FloorServer> {
  const engine = await openEngine(folder)
  const facts = factRows(0, records)
  const worker = new Worker(new URL('./intake-floor.worker.ts', import.meta.url))
  let last = Promise.resolve()
  const server = createServer(async (request, response) => {
    const packed = await bodyOf(request)
    const turn = last.then(async () => {
      const parsed = once(worker, 'message')
      worker.postMessage(packed, [packed.buffer])
      await parsed
    })
    last = turn
    await turn
    await engine.insert(facts, records)
    response.end(JSON.stringify({ accepted: records, records }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await worker.terminate()
      engine.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new Uint8Array(Buffer.concat(chunks))
}
