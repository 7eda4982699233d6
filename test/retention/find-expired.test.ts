/** Every minute it is asked what has expired: facts are looked for again only where there may be others. */
import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { findExpiredDays } from '#retention/find-expired.ts'
import { setRetention } from '#sites/retention.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addLiveSource } from '../support/live-evidence.ts'

const shared = serviceOfFile()

test('facts of a source are looked for again after others were stored, after an hour, and for another retention', async () => {
  const service = await shared.fresh('2026-03-10T12:05:00Z')
  const site = await service.addSite('example.com')
  await addLiveSource(service, site, 'https_intake')
  const { evidence } = service.crawlers
  let reads = 0
  const counting = overrideStore(evidence, {
    all: (statement, limits) => {
      reads++
      return evidence.all(statement, limits)
    },
  })
  const ask = async () => {
    reads = 0
    expect(await findExpiredDays({ ...service.crawlers, evidence: counting })).toEqual([])
    return reads
  }
  expect(await ask()).toBe(1)
  service.clock.advance(MINUTE_MS)
  expect(await ask()).toBe(0)
  service.crawlers.derived.storedFacts.add(site.id, 1)
  expect(await ask()).toBe(1)
  expect(await ask()).toBe(0)
  service.clock.advance(HOUR_MS)
  expect(await ask()).toBe(1)
  await setRetention(service.crawlers, { site_id: site.id, days: 30 })
  expect(await ask()).toBe(1)
})
