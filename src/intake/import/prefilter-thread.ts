/** A second thread that counts the human lines of a large file, while this one reads the others. */
import { Worker } from 'node:worker_threads'
import type { RegistryDocument } from '#crawlers/registry/document.ts'
import type { PrefilteredLines } from '../log/prefilter-human-lines.ts'

export interface PrefilterSetting {
  document: RegistryDocument
  /** Later than this (epoch milliseconds) a line's time is a mistake. */
  latest: number
}

/** Whole lines: the first `size` bytes of the block. */
export interface PrefilterRequest {
  block: ArrayBuffer
  size: number
}

/** The same memory, handed back, with the human lines that it holds. */
export interface PrefilteredBlock extends PrefilterRequest {
  prefiltered: PrefilteredLines
}

export interface PrefilterThread {
  /** False while the thread is still starting. */
  isReady(): boolean
  /** Hands a block over; answers come in the order of the blocks. Rejects when the thread has failed. */
  prefilter(order: PrefilterRequest): Promise<PrefilteredBlock>
  close(): Promise<void>
}

/** More would mean that blocks never end; a thread of its own must not take the memory of the service. */
const MAX_MEMORY_MB = 192

export function openPrefilterThread(setting: PrefilterSetting): PrefilterThread {
  const worker = new Worker(new URL('./prefilter.worker.ts', import.meta.url), {
    workerData: setting,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: 16 },
  })
  const waiting: { resolve: (answer: PrefilteredBlock) => void; reject: (error: Error) => void }[] = []
  let is_ready = false
  let failure: Error | null = null
  const fail = (cause: unknown) => {
    failure ??= new Error('the thread that counts human lines has failed; nothing was stored', { cause })
    for (const { reject } of waiting.splice(0)) reject(failure)
  }
  worker.on('message', (message: 'ready' | PrefilteredBlock) => {
    if (message === 'ready') is_ready = true
    else waiting.shift()?.resolve(message)
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`it ended with code ${code}`)))
  return {
    isReady: () => is_ready && failure === null,
    prefilter(order) {
      if (failure !== null) return Promise.reject(failure)
      const answer = new Promise<PrefilteredBlock>((resolve, reject) => waiting.push({ resolve, reject }))
      worker.postMessage(order, [order.block])
      return answer
    },
    async close() {
      await worker.terminate()
    },
  }
}
