import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeLists } from '#crawlers/identity/lists/describe-lists.ts'
import { readList } from '#crawlers/identity/lists/read-list.ts'
import { storeListVersion } from '#crawlers/identity/lists/store-list-version.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openTestService, type TestService } from '../../../support/service.ts'

const GPTBOT = 'https://openai.com/gptbot.json'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())

const document = (creationTime: string, prefix: string) =>
  Buffer.from(JSON.stringify({ creationTime, prefixes: [{ ipv4Prefix: prefix }] }))
const stateOf = async () => (await describeLists(service.crawlers)).find(({ id }) => id === GPTBOT)
const importList = (creationTime: string, prefix = '20.1.2.0/24') =>
  runOperation(service.installation.operator, 'registry.lists.import', {
    list: 'gptbot',
    document: document(creationTime, prefix).toString('base64'),
    is_whole_as: false,
  })
const remove = (list: string) => runOperation(service.installation.operator, 'registry.lists.remove', { list })

test('a list dated ahead of the clock is refused, imported or fetched, and nothing of it is stored', async () => {
  const message = /dated 2026-03-10T12:00:01.000Z, ahead of the service clock \(2026-03-10T12:00:00.000Z\)/
  await expect(importList('2026-03-10T12:00:01Z')).rejects.toMatchObject({
    kind: 'invalid_input',
    message: expect.stringMatching(message),
  })
  const fetched = readList(document('2027-01-01', '20.1.2.0/24'))
  await expect(storeListVersion(service.crawlers, GPTBOT, fetched)).rejects.toMatchObject({ kind: 'invalid_input' })
  expect(await stateOf()).toMatchObject({ state: 'never', versions: 0 })
})

test('a list is removed with all its versions, proves nothing from then on, and an older one may follow it', async () => {
  await importList('2026-03-09')
  await importList('2026-03-10', '20.1.3.0/24')
  expect(await stateOf()).toMatchObject({ state: 'in_force', versions: 2 })
  await expect(importList('2026-03-08')).rejects.toMatchObject({ kind: 'conflict' })
  expect(await remove('gptbot')).toEqual({ list_id: GPTBOT, versions: 2 })
  expect(await stateOf()).toMatchObject({ state: 'never', versions: 0, failure: null })
  await expect(remove(GPTBOT)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(remove('nobody')).rejects.toMatchObject({ kind: 'not_found' })
  expect(await importList('2026-03-08')).toMatchObject({ is_new: true })
})

test('a list is stale from the first day on which it judges no request', async () => {
  await importList('2026-03-08')
  expect(await stateOf()).toMatchObject({ state: 'in_force', confirmed_at: '2026-03-10T12:00:00.000Z' })
  service.clock.set('2026-03-17T23:59:59Z')
  expect(await stateOf()).toMatchObject({ state: 'in_force' })
  service.clock.set('2026-03-18T00:00:00Z')
  expect(await stateOf()).toMatchObject({ state: 'stale' })
})
