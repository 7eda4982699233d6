/** Another thread that reads the plain lines of a large file, while this thread reads the others. */
import { Worker } from 'node:worker_threads'
import type { HeldLists } from '#crawlers/identity/prove-request.ts'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import type { BlockLines } from './block-lines.ts'
import type { BlockSetting } from './read-block.ts'

export interface BlockThreadSetting {
  block: BlockSetting
  document: RegistryDocument
  lists: HeldLists
  /** Lines whose address needs reverse DNS are left to the first thread. */
  asks_names: boolean
}

export interface BlockThread {
  /** False while the thread is still starting. */
  isReady(): boolean
  /**
   * Reads the plain lines of a block of whole lines. The block is in shared memory, which must not change until the
   * promise settles; results come in the order of the blocks. Rejects if the thread has failed.
   */
  read(block: Uint8Array): Promise<BlockLines>
  close(): Promise<void>
}

/** A limit, so that a defect in this thread cannot take the memory of the service. */
const MAX_MEMORY_MB = 192

/** Starts a thread that reads blocks of plain lines. */
export function openBlockThread(setting: BlockThreadSetting): BlockThread {
  const worker = new Worker(new URL('./block.worker.ts', import.meta.url), {
    workerData: setting,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: 16 },
  })
  const waiting: { resolve: (answer: BlockLines) => void; reject: (error: Error) => void }[] = []
  let is_ready = false
  let failure: Error | null = null
  const fail = (cause: unknown) => {
    failure ??= new Error('a thread that reads lines has failed; nothing was stored', { cause })
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (message: 'ready' | BlockLines) => {
    if (message === 'ready') is_ready = true
    else waiting.shift()?.resolve(message)
  })
  worker.on('error', fail)
  // A lost result would assign every later one to the wrong block.
  worker.on('messageerror', fail)
  worker.on('exit', (code) => fail(new Error(`it ended with code ${code}`)))
  return {
    isReady: () => is_ready && failure === null,
    read(block) {
      if (failure !== null) return Promise.reject(failure)
      const answer = new Promise<BlockLines>((resolve, reject) => waiting.push({ resolve, reject }))
      worker.postMessage(block)
      return answer
    },
    async close() {
      await worker.terminate()
    },
  }
}
