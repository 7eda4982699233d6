import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '#accounts/password.ts'
import { readRegistry } from '#crawlers/registry/read-document.ts'
import { checkName } from '#names.ts'
import { runOperation } from '#surfaces/operator/operations.ts'
import { makeDocument } from './crawlers/registry/make-registry.ts'
import { openTestService, type TestService } from './support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  await service.addSite('example.com')
})
afterAll(() => service.close())

const event = { kind: 'event', event_name: 'signup' }
const page = { kind: 'page', path: '/' }
const funnel = (name: string) => ({ name, steps: [page, { ...page, path: '/end' }] })

/** Everything that a person names, with the name put where it belongs. */
const NAMED: Record<string, (name: string) => Promise<unknown>> = {
  'a site': (name) => runOperation(service.installation.operator, 'site.add', { domain: `ex${name}ample.org` }),
  'a person': (name) =>
    runOperation(service.installation.operator, 'user.add', {
      email: `ada@ex${name}ample.org`,
      is_operator: false,
    }),
  'a key': (name) => runOperation(service.installation.operator, 'key.create', { name: `a${name}b`, sites: [] }),
  'a source': (name) =>
    runOperation(service.installation.operator, 'source.add', {
      site: 'example.com',
      type: 'https_intake',
      name: `a${name}b`,
    }),
  'a property': (name) =>
    runOperation(service.installation.operator, 'property.add', {
      site: 'example.com',
      event_name: 'signup',
      property_key: `a${name}b`,
      scalar_kind: 'boolean',
    }),
  'a value of a property': (name) =>
    runOperation(service.installation.operator, 'property.add', {
      site: 'example.com',
      event_name: 'signup',
      property_key: 'plan',
      scalar_kind: 'enum',
      enum_values: [`a${name}b`],
    }),
  'a conversion': (name) =>
    runOperation(service.installation.operator, 'conversion.add', {
      site: 'example.com',
      definition: { name: `a${name}b`, matcher: event },
    }),
  'a funnel': (name) =>
    runOperation(service.installation.operator, 'funnel.add', {
      site: 'example.com',
      definition: funnel(`a${name}b`),
    }),
}

describe('names', () => {
  test.each(Object.keys(NAMED))('of %s have no control characters and no bidirectional ones', async (what) => {
    for (const character of ['\t', '\n', '\u0000', '\u001b', '\u0085', '\u2028', '\u202e', '\u2066']) {
      await expect(NAMED[what]?.(character), JSON.stringify(character)).rejects.toMatchObject({
        kind: 'invalid_input',
      })
    }
  })

  test.each(['', '   ', '\u200b\u200b', 'a'.repeat(65), '\ud800'])('%j is not a name', (name) => {
    expect(() => checkName(name, 'a key')).toThrow(/cannot be the name of a key: give 1 to 64 characters/)
  })

  test('are kept in one spelling, without spaces around them', () => {
    expect(checkName('  Zu\u0308rich 🐾 ', 'a key')).toBe('Z\u00fcrich 🐾')
    expect(checkName('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', 'a key')).toHaveLength(8)
  })

  test('a refusal shows a name without what would steer a terminal', () => {
    expect(() => checkName('a\u001b[31m\u202eb', 'a key')).toThrow('"a\u{fffd}[31m\u{fffd}b" cannot be')
  })
})

test.each([' '.repeat(12), '\u3000'.repeat(20), '\t'.repeat(12), '\u200b'.repeat(15)])(
  'a blank password is refused: %j',
  async (password) => {
    await expect(hashPassword(password)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/is blank; choose/),
    })
  },
)

test('a registry without entries is refused', () => {
  expect(() => readRegistry(makeDocument([]))).toThrow(/has no entries, so that no crawler would have a label/)
})
