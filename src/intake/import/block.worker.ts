/** The thread that reads the plain lines in the blocks of a file; see block-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { NO_NAMES, proveBy, proveWithoutNames } from '#crawlers/identity/prove-request.ts'
import { compileRegistry } from '#crawlers/registry/classify.ts'
import { memoryOf } from './block-lines.ts'
import type { BlockThreadSetting } from './block-thread.ts'
import { FileAgents } from './file-agents.ts'
import { BlockReader } from './read-block.ts'

const { block: setting, document, lists, asks_names } = workerData as BlockThreadSetting
const registry = compileRegistry(document)
const prove = proveWithoutNames(proveBy(registry, lists, asks_names ? NO_NAMES : null))
const reader = new BlockReader(setting, { agents: new FileAgents(registry), prove })

parentPort?.on('message', ({ buffer, byteOffset, length }: Uint8Array) => {
  const lines = reader.read(Buffer.from(buffer, byteOffset, length))
  parentPort?.postMessage(lines, memoryOf(lines))
})
parentPort?.postMessage('ready')
