/** Deliveries of a node that stood still and was taken for dead while it stored them (rules 3, ADR 43). */
import { beforeEach, describe, expect, test } from 'vitest'
import { PURPOSES } from '#contract/vocabulary.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { history } from '#demo/history.ts'
import { markBrokenDeliveries } from '#intake/import/recover-broken-deliveries.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import { GPTBOT, openTestIntake, type TestIntake } from '../../support/intake.ts'
import type { TestService } from '../../support/service.ts'

const YESTERDAY = '2026-03-09'
const shared = serviceOfFile()
let service: TestService
let intake: TestIntake
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  intake = await openTestIntake(service)
})

const record = (number: number) => ({
  timestamp: `${YESTERDAY}T10:00:0${number}Z`,
  host: 'example.com',
  path: `/page-${number}`,
  method: 'GET',
  status: 200,
  user_agent: GPTBOT,
  id: `record-${number}`,
})
const read = async () =>
  (await readPerformance({ ...service.crawlers, site: intake.site }, { window: '7d', purpose: [...PURPOSES] }))
    .observed_request_count
const marks = () =>
  service.crawlers.control.db.selectFrom('dirty_days').select(['day', 'state']).where('kind', '=', 'crawlers').execute()

/** What another node does once this one is silent, and its next derivation. */
async function takeForDead({ crawlers }: TestService): Promise<void> {
  const { control, intake, clock } = crawlers
  await control.transaction((tx) => markBrokenDeliveries(tx, intake.node_id, clock.now()))
  await rebuildDirtyDays(crawlers)
}

/** Before facts are written, the first time. */
function beforeFacts(work: () => Promise<void>): void {
  const { writeLock } = service.crawlers.evidence
  const run = writeLock.run.bind(writeLock)
  writeLock.run = async (write) => {
    Reflect.deleteProperty(writeLock, 'run')
    await work()
    return run(write)
  }
}

describe('a batch whose days others derived before its facts arrived', () => {
  test('is counted after its answer, from facts and once its day is derived again', async () => {
    await intake.send([record(1)])
    await service.rebuild()
    expect(await read()).toBe(1)
    beforeFacts(() => takeForDead(service))
    expect(await intake.send([record(2), record(3)])).toMatchObject({ accepted: 2 })
    expect(await read()).toBe(3)
    expect(await service.rebuild()).toBe(1)
    expect(await read()).toBe(3)
    expect(await marks()).toEqual([])
  })

  test('is counted where a derivation that saw too few facts ends after its answer', async () => {
    await intake.send([record(1)])
    const { crawlers } = service
    const { evidence } = crawlers
    const [seen, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = new Proxy(evidence, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value
        return async (...given: Parameters<typeof evidence.run>) => {
          await evidence.run(...given)
          seen.resolve()
          await answered.promise
        }
      },
    })
    let deriving: Promise<number> | undefined
    beforeFacts(async () => {
      await crawlers.control.transaction((tx) => markBrokenDeliveries(tx, crawlers.intake.node_id, service.clock.now()))
      deriving = rebuildDirtyDays({ ...crawlers, evidence: slow })
      await seen.promise
    })
    await intake.send([record(2)])
    answered.resolve()
    expect(await deriving).toBe(1)
    expect(await read()).toBe(2)
    expect(await service.rebuild()).toBe(1)
    expect(await read()).toBe(2)
  })

  test('costs no further derivation while no other node has declared this one dead', async () => {
    await intake.send([record(1)])
    expect(await marks()).toEqual([{ day: YESTERDAY, state: 'written' }])
    expect(await service.rebuild()).toBe(1)
    expect(await service.rebuild()).toBe(0)
  })
})

test('an import whose days others derived before its facts arrived is counted at its end', async () => {
  const log = history().on(YESTERDAY).humans().crawler('gptbot').requests(4)
  const { evidence } = service.crawlers
  const run = evidence.run.bind(evidence)
  let is_late = true
  evidence.run = async (command, limits) => {
    if (is_late && (await marks()).some(({ state }) => state === 'writing')) {
      is_late = false
      await takeForDead(service)
    }
    return run(command, limits)
  }
  await service.importText(intake.site, log)
  expect(is_late).toBe(false)
  expect(await read()).toBe(4)
  expect(await service.rebuild()).toBe(1)
  expect(await read()).toBe(4)
})
