/** The list of a site's development origins (rules 6.14). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { addDevelopmentOrigin, listDevelopmentOrigins, removeDevelopmentOrigin } from '#tracker/development/origins.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const LOCALHOST = 'http://localhost:3000'
let service: TestService
let site: Site
let sites = 0

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
})
afterAll(() => service.close())
beforeEach(async () => {
  site = await service.addSite(`shop-${++sites}.example`)
})

const ctx = () => ({ control: service.installation.control, clock: service.clock })
const allow = (origin = LOCALHOST) => addDevelopmentOrigin(ctx(), { site, origin })

describe('the list of a site', () => {
  const list = async () =>
    (await listDevelopmentOrigins(service.installation.control.db, site.id)).map((row) => row.origin)

  test('has origins as browsers send them, each once', async () => {
    expect(await allow('HTTP://LocalHost:3000/')).toBe(LOCALHOST)
    await allow()
    await allow('https://staging.shop.example:443')
    expect(await list()).toEqual([LOCALHOST, 'https://staging.shop.example'])
    await removeDevelopmentOrigin(ctx(), { site, origin: LOCALHOST })
    expect(await list()).toEqual(['https://staging.shop.example'])
    await expect(removeDevelopmentOrigin(ctx(), { site, origin: LOCALHOST })).rejects.toThrow(
      `${LOCALHOST} is not a development origin of ${site.root_domain}: {next} shows them.`,
    )
  })

  test.each(['localhost:3000', 'http://localhost:3000/app', 'http://user@localhost', 'file:///', 'null', ''])(
    'refuses %o, which is not an origin',
    async (origin) => {
      await expect(allow(origin)).rejects.toThrow('scheme, host and port, for example http://localhost:3000')
    },
  )

  test('refuses the site itself, whose visitors would be lost', async () => {
    await expect(allow(`https://${site.root_domain}`)).rejects.toThrow('is the site itself')
    await expect(allow(`https://www.${site.root_domain}`)).rejects.toThrow('is the site itself')
    await expect(allow(`https://${site.root_domain}.`)).rejects.toThrow('is the site itself')
  })

  test('has 20 at most', async () => {
    for (let port = 1; port <= 20; port++) await allow(`http://localhost:${port}`)
    await expect(allow('http://localhost:21')).rejects.toThrow('20 development origins')
    await allow('http://localhost:20')
  })
})
