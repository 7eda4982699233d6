/** The thread that skims people off the blocks of a file; see skim-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { compileRegistry } from '#crawlers/registry/classify.ts'
import { PeopleSkimmer } from '../log/skim-people.ts'
import { judgePeople } from './agents.ts'
import type { SkimOrder, SkimSetting } from './skim-thread.ts'

const { document, latest } = workerData as SkimSetting
const skimmer = new PeopleSkimmer(judgePeople(compileRegistry(document)), latest)

parentPort?.on('message', ({ block, size }: SkimOrder) => {
  const skimmed = skimmer.skim(Buffer.from(block, 0, size))
  parentPort?.postMessage({ skimmed, block, size }, [block, skimmed.minutes.buffer, skimmed.rest.buffer])
})
parentPort?.postMessage('ready')
