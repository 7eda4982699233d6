import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { serviceOfFile } from '../../support/fresh.ts'

const shared = serviceOfFile()

test.runIf(process.platform === 'linux')(
  'threads of the engine have a lower priority than the one that answers',
  async () => {
    await shared.fresh('2026-03-10T12:00:00.000Z')
    const own = getPriority()
    const threads = readdirSync('/proc/self/task').map((thread) => ({
      name: readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim(),
      nice: getPriority(Number(thread)),
    }))
    for (const name of ['libuv-worker', 'MergeMutate']) {
      const nice = new Set(threads.filter((thread) => thread.name === name).map((thread) => thread.nice))
      expect([name, ...nice]).toEqual([name, Math.min(19, own + 10)])
    }
    expect(threads.find(({ name }) => name === 'node-V8Worker')?.nice).toBe(own)
  },
)
