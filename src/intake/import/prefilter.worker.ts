/** The thread that counts the human lines in the blocks of a file; see prefilter-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { compileRegistry } from '#crawlers/registry/classify.ts'
import { HumanLinePrefilter } from '../log/prefilter-human-lines.ts'
import { classifyHumans } from './file-agents.ts'
import type { PrefilterRequest, PrefilterSetting } from './prefilter-thread.ts'

const { document, latest } = workerData as PrefilterSetting
const human_lines = new HumanLinePrefilter(classifyHumans(compileRegistry(document)), latest)

parentPort?.on('message', ({ block, size }: PrefilterRequest) => {
  const prefiltered = human_lines.prefilter(Buffer.from(block, 0, size))
  parentPort?.postMessage({ prefiltered, block, size }, [block, prefiltered.minutes.buffer, prefiltered.rest.buffer])
})
parentPort?.postMessage('ready')
