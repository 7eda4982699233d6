import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { askOperation, kindOf, RIGHT, siteOperations, visible } from './ask.ts'
import { addMember, addPerson, addSiteOf, removeMember } from './people.ts'

let service: TestService
let plain: Site
let idn: Site
let sub: Site
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  plain = await service.addSite('example.com')
  idn = await service.addSite('bücher.example')
  sub = await service.addSite('shop.example.com')
  await service.createKey()
  for (const [site, requests] of [
    [plain, 1],
    [idn, 2],
    [sub, 4],
  ] as const) {
    await service.importText(site, history().on('2026-03-09').humans().crawler('oai-searchbot').requests(requests))
  }
})
afterAll(() => service.close())

const withHyphens = (id: string, at: number) => `${id.slice(0, at).toUpperCase()}${id.slice(at)}`

/** Each way to write an address, and the site it names. */
const ADDRESSES: [string, () => string, () => Site][] = [
  ['the id', () => plain.id, () => plain],
  ['the id in upper case', () => plain.id.toUpperCase(), () => plain],
  ['the id in mixed case', () => withHyphens(plain.id, 13), () => plain],
  ['the domain', () => 'example.com', () => plain],
  ['the domain in upper case', () => 'EXAMPLE.COM', () => plain],
  ['the domain with WWW.', () => 'WWW.example.com', () => plain],
  ['the domain with a trailing dot', () => 'example.com.', () => plain],
  ['all of it at once', () => 'WwW.eXample.COM.', () => plain],
  ['an international domain', () => 'bücher.example', () => idn],
  ['an international domain in upper case', () => 'BÜCHER.EXAMPLE', () => idn],
  ['an international domain with a combining mark', () => 'bu\u0308cher.example', () => idn],
  ['an international domain with www. and dot', () => 'www.bücher.example.', () => idn],
  ['an international domain in punycode', () => 'xn--bcher-kva.example', () => idn],
  ['an international domain in upper-case punycode', () => 'XN--BCHER-KVA.example', () => idn],
  ['a subdomain that is a site of its own', () => 'Shop.example.com', () => sub],
]

/** What names no site. */
const FOREIGN: [string, string][] = [
  ['a host below the domain', 'blog.example.com'],
  ['a domain that ends alike', 'notexample.com'],
  ['a domain that begins alike', 'example.com.example'],
  ['the domain without its dot', 'examplecom'],
  ['two trailing dots', 'example.com..'],
  ['a wildcard', '*.example.com'],
  ['a pattern of the database', '%.com'],
  ['an underscore', 'exampl_.com'],
  ['another alphabet', 'exаmple.com'],
  ['the other international spelling', 'buecher.example'],
  ['a list', 'example.com,bücher.example'],
  ['an address', '127.0.0.1'],
  ['nothing but blanks', '   '],
  ['a null byte', 'example.com\0'],
  ['a line break', 'example.com\n.example'],
]

/** One operation is asked with every address, the others, which share its resolver, with every third. */
const addressesFor = (id: string) => everyThird(id, ADDRESSES)
const foreignAddressesFor = (id: string) => everyThird(id, FOREIGN)
const everyThird = <T>(id: string, all: readonly T[]): T[] =>
  all.filter((_one, at) => id === siteOperations[0]?.[0] || at % 3 === 0)

describe.each(siteOperations)('%s', (id, operation) => {
  const ask = (address: string, domain = 'example.com') =>
    askOperation(service, operation, { site: address, domain, query: 'window=30d' })

  test.each(addressesFor(id))('finds a site by %s (spec 1.7, rules 1)', async (_name, address, site) => {
    const answer = await ask(address(), site().root_domain)
    expect(answer.status, answer.text).toBe(RIGHT[id])
    expect(visible(answer)).toEqual(visible(await ask(site().id, site().root_domain)))
  })

  test.each(foreignAddressesFor(id))('%s names no site: 404', async (_name, address) => {
    const answer = await ask(address)
    expect([answer.status, kindOf(answer)]).toEqual([404, 'site_not_found'])
  })

  test('an id with braces, without hyphens, cut or as a urn names no site: 404', async () => {
    const { id: uuid } = plain
    for (const address of [`{${uuid}}`, uuid.replaceAll('-', ''), uuid.slice(1), `${uuid}0`, `urn:uuid:${uuid}`]) {
      expect([address, (await ask(address)).status]).toEqual([address, 404])
    }
  })

  test('two visible sites of one domain: 404 that says how, and each by its id (rules 1)', async () => {
    const other = await addPerson(service)
    const twin = await addSiteOf(service, other, 'example.com')
    await addMember(service, service.installation.operator, twin, 'viewer')
    try {
      for (const address of ['example.com', 'WWW.EXAMPLE.COM.']) {
        const answer = await ask(address)
        expect([answer.status, kindOf(answer)]).toEqual([404, 'site_not_found'])
        expect(answer.json.detail).toContain('address it by id')
      }
      for (const site of [twin, plain]) expect((await ask(site.id)).status).toBe(RIGHT[id])
      expect((await ask('shop.example.com', 'shop.example.com')).status).toBe(RIGHT[id])
    } finally {
      await removeMember(service, service.installation.operator, twin)
    }
    expect((await ask('example.com')).status).toBe(RIGHT[id])
  })

  test('a twin that the key does not see changes nothing', async () => {
    const before = await ask('example.com')
    await addSiteOf(service, await addPerson(service), 'example.com')
    expect(visible(await ask('example.com'))).toEqual(visible(before))
  })
})

test('a restricted key that sees one of two twins addresses it by domain', async () => {
  const other = await addPerson(service)
  const twin = await addSiteOf(service, other, 'example.com')
  await addMember(service, service.installation.operator, twin, 'editor')
  try {
    const { secret } = await service.createKey([plain])
    const answer = await service.ask('/v1/sites/example.com/performance', { key: secret })
    expect([answer.status, answer.json.observed_request_count]).toEqual([200, 1])
    const { json } = await service.ask('/v1/sites')
    const twins = (json.sites as { id: string; root_domain: string }[]).filter(
      (site) => site.root_domain === 'example.com',
    )
    expect(twins.map((site) => site.id)).toEqual([plain.id, twin.id].toSorted())
  } finally {
    await removeMember(service, service.installation.operator, twin)
  }
})

test('sites are distinguished by their evidence, whichever way they are addressed', async () => {
  for (const [, address, site] of ADDRESSES) {
    const { json } = await service.ask(`/v1/sites/${encodeURIComponent(address())}/performance`)
    const requests = new Map([
      [plain, 1],
      [idn, 2],
      [sub, 4],
    ]).get(site())
    expect([address(), json.observed_request_count]).toEqual([address(), requests])
  }
})
