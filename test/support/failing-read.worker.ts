/** The real reading thread with a fault put into it: what a body says makes it crash or hang. */
import { parentPort } from 'node:worker_threads'
import type { ToThread } from '#intake/batches/thread-messages.ts'

parentPort?.on('message', (message: ToThread) => {
  if (message.kind !== 'chunk') return
  const text = Buffer.from(message.bytes).toString('latin1')
  if (text.includes('/crash')) throw new Error('a fault of this test')
  if (text.includes('/hang')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
await import('#intake/batches/read.worker.ts')
