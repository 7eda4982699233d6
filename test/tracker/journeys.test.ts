import { afterAll, beforeAll, expect, test } from 'vitest'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { readJourneys } from '#tracker/journeys.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addDefinedSite, NOW, SOME, storeVisits } from './sessions/open-day-site.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

test('the pages of a journey are read once, and those of a new one when it appears', async () => {
  const site = await addDefinedSite(service)
  await storeVisits(service, site, SOME)
  service.clock.set('2026-03-11T10:00:00Z')
  await deriveDays(site)
  let reads_of_pages = 0
  const evidence = overrideStore(site.evidence, {
    all: (statement, limits) => {
      if (render(statement.fragment).text.includes('any(')) reads_of_pages += 1
      return site.evidence.all(statement, limits)
    },
  })
  const read = async () => {
    const before = reads_of_pages
    const { journeys } = await readJourneys({ ...site, evidence }, { window: '7d', limit: 100 })
    const sequences = journeys.flatMap((journey) =>
      journey.kind === 'sequence' ? [[...journey.pages.map(({ path }) => path), journey.sessions].join(' ')] : [],
    )
    return { sequences: sequences.sort(), reads_of_pages: reads_of_pages - before }
  }

  const sequences = ['/ /a /b 6', '/b 6']
  expect(await read()).toEqual({ sequences, reads_of_pages: 1 })
  expect(await read()).toEqual({ sequences, reads_of_pages: 0 })

  const today = [1, 2, 3, 4, 5].flatMap((visitor) => [
    { at: '2026-03-11T08:00:00Z', visitor, path: '/b' },
    { at: '2026-03-11T08:01:00Z', visitor, path: '/new' },
  ])
  await storeVisits(service, site, today)
  expect(await read()).toEqual({ sequences: ['/ /a /b 6', '/b /new 5', '/b 6'], reads_of_pages: 2 })
  expect(await read()).toEqual({ sequences: ['/ /a /b 6', '/b /new 5', '/b 6'], reads_of_pages: 0 })
})
