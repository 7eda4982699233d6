import { expect, test } from 'vitest'
import { movingService } from '#move/moving-service.ts'
import type { Collector } from '#tracker/collection/collector.ts'

test('events in progress are stored before writes pause; later ones are refused until the service continues', async () => {
  const steps: string[] = []
  const { promise: durable, resolve: makeDurable } = Promise.withResolvers<void>()
  const { taking, isMoving, runJobs } = movingService({
    async collect() {
      await durable
      steps.push('durable')
      return { accepted: 1, rejected: [] }
    },
    collectFromServer: async () => ({ accepted: 1, rejected: [] }),
    settle: async () => void steps.push('settled'),
    mark: async () => void steps.push('marked'),
    pause: () => void steps.push('collector paused'),
    resume: () => void steps.push('collector resumed'),
  } as unknown as Collector)
  const { serving, stop } = runJobs(() => {
    steps.push('jobs began')
    return { stop: async () => void steps.push('jobs ended') }
  })
  const request = {} as never
  const first = taking.collect(request)
  await serving.stopJobs()
  const refused = serving.refuseWrites()
  expect(isMoving()).toBe(true)
  await expect(taking.collect(request)).rejects.toMatchObject({ kind: 'unavailable', code: 'moving', retry_after: 30 })
  await expect(taking.collectFromServer(request)).rejects.toMatchObject({ kind: 'unavailable' })
  makeDurable()
  await Promise.all([first, refused])
  expect(steps).toEqual(['jobs began', 'jobs ended', 'durable', 'settled', 'marked', 'collector paused'])
  serving.resume()
  expect(await taking.collectFromServer(request)).toMatchObject({ accepted: 1 })
  await stop()
  expect(steps.slice(6)).toEqual(['collector resumed', 'jobs began', 'jobs ended'])
})

test('a move that is interrupted because the service stops does not restart jobs', async () => {
  const steps: string[] = []
  const collector = { resume: () => void steps.push('collector resumed') } as unknown as Collector
  const { serving, stop } = movingService(collector).runJobs(() => {
    steps.push('jobs began')
    return { stop: async () => void steps.push('jobs ended') }
  })
  await serving.stopJobs()
  await stop()
  serving.resume()
  expect(steps).toEqual(['jobs began', 'jobs ended', 'jobs ended', 'collector resumed'])
})

test('a move that gave up waiting for the collector does not pause it', async () => {
  const steps: string[] = []
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  const { serving } = movingService({
    settle: () => settled,
    mark: async () => void steps.push('marked'),
    pause: () => void steps.push('collector paused'),
    resume: () => void steps.push('collector resumed'),
  } as unknown as Collector).runJobs(() => ({ stop: async () => {} }))
  const refused = serving.refuseWrites()
  serving.resume()
  settle()
  await refused
  expect(steps).toEqual(['collector resumed', 'marked'])
})
