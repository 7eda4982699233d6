import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IssuedSecret } from '#accounts/bearer-secret.ts'
import { revokeSiteKey } from '#accounts/site-keys.ts'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { type Answer, openTestService, type TestService } from '../support/service.ts'
import { askOperation, everyOperation, kindOf, pathOf, RIGHT, siteOperations, visible } from './ask.ts'
import { addKeyOf, addMember, addPerson, addSiteOf, type Person, removeMember, setStatus } from './people.ts'

let service: TestService
let own: Site
let operator: Person
let key: { id: string; secret: string }
let stranger: Person
let foreign: Site
let foreignKey: IssuedSecret
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  operator = service.installation.operator
  own = await service.addSite('example.com')
  key = await service.createKey()
  stranger = await addPerson(service)
  foreign = await addSiteOf(service, stranger, 'example.org')
  foreignKey = await addKeyOf(service, stranger)
})
afterAll(() => service.close())

const MISSING_ID = '00000000-0000-4000-8000-000000000000'
const RANDOM = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-AbCdE'

const statusesWith = async (
  secret: string,
  { id: site, root_domain: domain }: Pick<Site, 'id' | 'root_domain'> = own,
): Promise<Record<string, number>> => {
  const asked = await Promise.all(
    everyOperation.map(async ([id, operation]) => {
      const answer = await askOperation(service, operation, { key: secret, site, domain })
      return [id, answer.status] as const
    }),
  )
  return Object.fromEntries(asked)
}
const byIdAndDomain = (site: Site) => [site, { id: site.root_domain, root_domain: site.root_domain }]
const refusedEverywhere = Object.fromEntries(everyOperation.map(([id]) => [id, 401]))
/** Right on the sites one sees; 404 on the asked one, which `listSites` does not name. */
const invisible = Object.fromEntries(everyOperation.map(([id]) => [id, id === 'listSites' ? 200 : 404]))

describe.each(everyOperation)('%s without a key that is in force (spec 5, rules 1)', (_id, operation) => {
  test.each<[string, () => Record<string, string>]>([
    ['no Authorization', () => ({})],
    ['an empty Authorization', () => ({ authorization: '' })],
    ['the scheme alone', () => ({ authorization: 'Bearer' })],
    ['the scheme and blanks', () => ({ authorization: 'Bearer   ' })],
    ['the key without a scheme', () => ({ authorization: key.secret })],
    ['another scheme', () => ({ authorization: `Basic ${Buffer.from(`${key.secret}:`).toString('base64')}` })],
    ['two words after the scheme', () => ({ authorization: `Bearer ${key.secret} ${key.secret}` })],
    ['two keys in one header', () => ({ authorization: `Bearer ${key.secret}, Bearer ${key.secret}` })],
    ['the key in quotes', () => ({ authorization: `Bearer "${key.secret}"` })],
    ['a tab after the scheme', () => ({ authorization: `Bearer\t${key.secret}` })],
    ['the key in upper case', () => ({ authorization: `Bearer ${key.secret.toUpperCase()}` })],
    ['a key cut short', () => ({ authorization: `Bearer ${key.secret.slice(0, -1)}` })],
    ['a key and a letter more', () => ({ authorization: `Bearer ${key.secret}x` })],
    ['the prefix of a key alone', () => ({ authorization: `Bearer ${foreignKey.prefix}` })],
    ['an unknown key', () => ({ authorization: `Bearer spoor_site_${RANDOM}` })],
    ['an account token', () => ({ authorization: `Bearer spoor_acct_${RANDOM}` })],
    ['a source token', () => ({ authorization: `Bearer spoor_src_${RANDOM}` })],
    ['a site key’s secret under the name of an account token', () => ({ authorization: otherKind('spoor_acct_') })],
    ['a site key’s secret under the name of a source token', () => ({ authorization: otherKind('spoor_src_') })],
    ['the key in another header', () => ({ 'x-api-key': key.secret })],
    ['the key as a cookie', () => ({ cookie: `key=${key.secret}` })],
  ])('%s is 401', async (_name, headers) => {
    const answer = await askOperation(service, operation, { key: null, headers: headers() })
    expectUnauthenticated(answer)
  })

  test('a key in the URL is 401', async () => {
    const query = `key=${key.secret}&access_token=${key.secret}`
    expectUnauthenticated(await askOperation(service, operation, { key: null, query }))
  })

  test('401 reveals nothing about the site: own, foreign and missing ones have the same answer', async () => {
    const asked = ['example.com', own.id, 'example.org', 'missing.example', 'not a domain']
    const answers = await Promise.all(asked.map((site) => askOperation(service, operation, { key: null, site })))
    for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as Answer))
  })
})

describe('a key that ends', () => {
  test('a revoked key is refused by every operation with its very next request, like a key that never was', async () => {
    const short = await addKeyOf(service, operator)
    expect(await statusesWith(short.secret)).toEqual(RIGHT)
    await revokeSiteKey(service.installation.operator, { account_id: operator.account_id, key: short.id })
    expect(await statusesWith(short.secret)).toEqual(refusedEverywhere)
    for (const [, operation] of everyOperation) {
      const revoked = await askOperation(service, operation, { key: short.secret })
      const unknown = await askOperation(service, operation, { key: `spoor_site_${RANDOM}` })
      expect(visible(revoked)).toEqual(visible(unknown))
    }
    expect(await statusesWith(key.secret)).toEqual(RIGHT)
  })

  test('between two requests of one operation: the first is answered, the second refused', async () => {
    for (const [id, operation] of everyOperation) {
      const short = await addKeyOf(service, operator)
      expect([id, (await askOperation(service, operation, { key: short.secret })).status]).toEqual([id, RIGHT[id]])
      await revokeSiteKey(service.installation.operator, { account_id: operator.account_id, key: short.secret })
      expectUnauthenticated(await askOperation(service, operation, { key: short.secret }))
    }
  })

  test('a suspended account’s keys are refused by every operation, its evidence is still accepted, and it can be activated', async () => {
    const person = await addPerson(service)
    const site = await addSiteOf(service, person, 'paused.example')
    const { secret } = await addKeyOf(service, person)
    await setStatus(service, person, 'suspended')
    expect(await statusesWith(secret, site)).toEqual(refusedEverywhere)
    await service.importText(site, history().on('2026-03-09').humans().crawler('oai-searchbot').requests(4))
    expect(await statusesWith(secret, site)).toEqual(refusedEverywhere)
    expect(await statusesWith(key.secret)).toEqual(RIGHT)
    await setStatus(service, person, 'active')
    expect(await statusesWith(secret, site)).toEqual(RIGHT)
    const performance = await service.ask('/v1/sites/paused.example/performance', { key: secret })
    expect(performance.json).toMatchObject({ observed_request_count: 4 })
  })

  test('a member removed from a site loses it at once, and keeps the others', async () => {
    const person = await addPerson(service)
    const left = await addSiteOf(service, person, 'left.example')
    const kept = await addSiteOf(service, person, 'kept.example')
    const { secret } = await addKeyOf(service, person)
    const named = await addKeyOf(service, person, [left])
    expect(await statusesWith(secret, left)).toEqual(RIGHT)
    await removeMember(service, person, left)
    for (const address of byIdAndDomain(left)) expect(await statusesWith(secret, address)).toEqual(invisible)
    expect(await statusesWith(secret, kept)).toEqual(RIGHT)
    expect(await sitesOf(secret)).toEqual(['kept.example'])
    expect(await statusesWith(named.secret, left)).toEqual(invisible)
    expect(await sitesOf(named.secret)).toEqual([])
    await removeMember(service, person, kept)
    for (const dead of [secret, named.secret]) expect(await statusesWith(dead, kept)).toEqual(refusedEverywhere)
  })

  test('a key dies with its member’s last site', async () => {
    const person = await addPerson(service)
    const site = await addSiteOf(service, person, 'last.example')
    const { secret } = await addKeyOf(service, person)
    expect(await statusesWith(secret, site)).toEqual(RIGHT)
    await removeSite(service.installation.operator, { account_id: person.account_id, site_id: site.id })
    expect(await statusesWith(secret, site)).toEqual(refusedEverywhere)
    const again = await addSiteOf(service, person, 'last.example')
    expect(await statusesWith(secret, again)).toEqual(refusedEverywhere)
  })
})

describe('what a key sees', () => {
  test('the foreign key reads its own site and no other', async () => {
    expect(await statusesWith(foreignKey.secret, foreign)).toEqual(RIGHT)
    expect(await sitesOf(foreignKey.secret)).toEqual(['example.org'])
    for (const site of byIdAndDomain(own)) expect(await statusesWith(foreignKey.secret, site)).toEqual(invisible)
    for (const site of byIdAndDomain(foreign)) expect(await statusesWith(key.secret, site)).toEqual(invisible)
  })

  test('a restricted key sees the sites of its list and no other site of its member', async () => {
    const person = await addPerson(service)
    const one = await addSiteOf(service, person, 'one.example')
    const two = await addSiteOf(service, person, 'two.example')
    const three = await addSiteOf(service, person, 'three.example')
    const { secret } = await addKeyOf(service, person, [one, two])
    for (const site of [one, two]) expect(await statusesWith(secret, site)).toEqual(RIGHT)
    for (const site of byIdAndDomain(three)) expect(await statusesWith(secret, site)).toEqual(invisible)
    expect(await sitesOf(secret)).toEqual(['one.example', 'two.example'])
    const later = await addSiteOf(service, person, 'later.example')
    expect(await statusesWith(secret, later)).toEqual(invisible)
  })

  test.each(['viewer', 'editor'] as const)('a %s reads what the owner reads', async (role) => {
    const person = await addPerson(service)
    await addMember(service, person, own, role)
    const { secret } = await addKeyOf(service, person)
    expect(await statusesWith(secret, own)).toEqual(RIGHT)
    const { json } = await service.ask('/v1/sites', { key: secret })
    expect(json).toEqual({ sites: [{ id: own.id, root_domain: 'example.com', role }] })
  })
})

describe.each(siteOperations)(
  '%s: a foreign site and a missing one cannot be distinguished (decisions 2)',
  (_id, operation) => {
    const addresses = () => [
      ...[MISSING_ID, 'missing.example', foreign.id, foreign.id.toUpperCase(), 'example.org', 'www.example.org.'],
      ...['not a domain', 'com', '...', '{site}', "' OR 1=1 --", '%', `${own.id}x`, own.id.replaceAll('-', '')],
    ]

    test('to the byte, with right and with wrong parameters', async () => {
      for (const query of ['', 'window=2d&limit=0&purpose=x&format=x&revision=0', 'window=365d']) {
        const answers = await Promise.all(addresses().map((site) => askOperation(service, operation, { site, query })))
        const [missing] = answers as [Answer]
        expect([missing.status, kindOf(missing)]).toEqual([404, 'site_not_found'])
        for (const [index, answer] of answers.entries()) {
          expect([addresses()[index], visible(answer)]).toEqual([addresses()[index], visible(missing)])
        }
      }
    })

    test('to the byte, for a site outside the list of a restricted key', async () => {
      const other = await service.installation.control.db
        .selectFrom('sites')
        .select('id')
        .where('root_domain', '=', 'beside.example')
        .executeTakeFirst()
      const id = other === undefined ? (await service.addSite('beside.example')).id : other.id
      const { secret } = await addKeyOf(service, operator, [own])
      const asked = [MISSING_ID, id, 'beside.example', 'missing.example']
      const answers = await Promise.all(asked.map((site) => askOperation(service, operation, { key: secret, site })))
      for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as Answer))
      expect(answers[0]?.status).toBe(404)
    })

    test('to the byte, by HEAD and by a method that is not supported', async () => {
      for (const method of ['HEAD', 'DELETE', 'OPTIONS'] as const) {
        const answers = await Promise.all(
          addresses()
            .filter((site) => site !== '%')
            .map((site) => service.ask(pathOf(operation, encodeURIComponent(site)), { method })),
        )
        for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as Answer))
      }
    })
  },
)

const otherKind = (kind: string) => `Bearer ${key.secret.replace('spoor_site_', kind)}`

async function sitesOf(secret: string): Promise<string[]> {
  const { json } = await service.ask('/v1/sites', { key: secret })
  return (json.sites as { root_domain: string }[]).map((site) => site.root_domain)
}

function expectUnauthenticated(answer: Answer): void {
  expect([answer.status, kindOf(answer)]).toEqual([401, 'unauthenticated'])
  expect(answer.headers['www-authenticate']).toBe('Bearer')
  expect(answer.text).not.toContain(key.secret)
}
