import { afterEach, expect, test } from 'vitest'
import { identityJobs } from '#jobs/identity-jobs.ts'
import { askNameServers } from '#outgoing/name-servers.ts'
import { deliver } from '../support/deliver.ts'
import { openDnsDouble } from '../support/dns-double.ts'
import { openTestService, type TestService } from '../support/service.ts'

let service: TestService
afterEach(() => service.close())

test('the jobs load lists for the prover and prove waiting requests; neither runs under a simulated clock', async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const dns = await openDnsDouble()
  const { crawlers, installation } = service
  const asked: string[] = []
  const own = identityJobs({
    ...crawlers,
    name_servers: askNameServers([dns.server]),
    async fetchList(url) {
      asked.push(url)
      return { status: 200, body: Buffer.from('20.1.2.0/24') }
    },
  })
  expect(own.map(({ name, rests_under_simulated_clock }) => [name, rests_under_simulated_clock])).toEqual([
    ['load_lists', true],
    ['prove_addresses', true],
  ])
  const site = await service.addSite('example.com')
  await deliver(service, site, [{ user_agent: 'YandexBot/3.0', address: '198.51.100.9' }])
  for (const job of own) await job.run(new AbortController().signal, { check: async () => {} })
  expect(asked).toContain('https://openai.com/gptbot.json')
  expect(await installation.control.db.selectFrom('pending_addresses').selectAll().execute()).toEqual([])
  const request = { at: service.clock.now(), received_at: service.clock.now(), attested: true, verified_bot: null }
  const proof = crawlers.prover.prove({
    ...request,
    user_agent: 'GPTBot/1.4',
    address: '20.1.2.3',
    signature_verified: false,
  })
  expect(JSON.parse(proof)).toMatchObject({ attested: true, in: expect.any(Array) })
  await dns.close()
})
