import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readDayOrInstant } from '../../../cli/input/argument-values.ts'
import { readDefinition, readPage, readRule, readStep } from '../../../cli/input/definition-input.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const declared = [
  { property_key: 'plan', scalar_kind: 'enum' as const, enum_values: ['free', 'pro', 'a,b', '1..2'] },
  { property_key: 'seats', scalar_kind: 'integer' as const, enum_values: null },
  { property_key: 'trial', scalar_kind: 'boolean' as const, enum_values: null },
].map((row) => ({ ...row, event_name: 'signup', ended_at: null }))

describe('a definition of a file', () => {
  const folder = makeTestFolder()
  const file = join(folder, 'definition.json')
  afterAll(() => removeTestFolder(folder))

  test('may begin with a byte order mark', async () => {
    writeFileSync(file, '\ufeff{"name":"Größer"}')
    expect(await readDefinition(file)).toEqual({ name: 'Größer' })
  })

  test('is refused if it is not UTF-8', async () => {
    writeFileSync(file, '{"name":"Größer"}', 'latin1')
    await expect(readDefinition(file)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: expect.stringMatching(/UTF-8/),
    })
  })
})

describe('definitions by flags', () => {
  test.each([
    ['plan=pro', 'equals', { value: 'pro' }],
    ['plan=free,pro', 'one_of', { values: ['free', 'pro'] }],
    ['plan=a,b', 'equals', { value: 'a,b' }],
    ['plan=1..2', 'equals', { value: '1..2' }],
    ['plan=x=y', 'equals', { value: 'x=y' }],
    ['seats=7', 'equals', { value: 7 }],
    ['seats=-5..20', 'between', { lower: -5, upper: 20 }],
    ['trial=false', 'equals', { value: false }],
    // Left to who knows the declaration.
    ['seats=many', 'equals', { value: 'many' }],
    ['trial=yes', 'equals', { value: 'yes' }],
    ['color=red', 'equals', { value: 'red' }],
  ])('--rule %s', (text, operator, comparison) => {
    expect(readRule('signup', text, declared)).toEqual({ property_key: text.split('=')[0], operator, comparison })
  })

  test.each(['plan', '=pro', ''])('--rule %j is none', (text) => {
    expect(() => readRule('signup', text, declared)).toThrow(/KEY=VALUE/)
  })

  test.each([
    ['/a', { path: '/a' }],
    ['www.example.com/a/b', { hostname: 'www.example.com', path: '/a/b' }],
    ['https://www.example.com', { hostname: 'www.example.com', path: '/' }],
    ['/a%20b', { path: '/a%20b' }],
  ])('--page %s', (text, page) => {
    expect(readPage(text)).toEqual(page)
    expect(readStep(`page:${text}`)).toEqual({ kind: 'page', ...page })
  })

  test.each([
    ['pricing', /begins with a slash/],
    ['www.example.com', /begins with a slash/],
    ['https://example.com/a?b', /query strings and fragments are never stored/],
    ['a b/pricing', /"a b" is not a host name/],
  ])('--page %s is none', (text, reason) => {
    expect(() => readPage(text)).toThrow(reason)
    expect(() => readStep(`page:${text}`)).toThrow(reason)
  })

  test.each(['/a', 'page:', 'conversion:', 'event:x', ''])('--step %j is none', (text) => {
    expect(() => readStep(text)).toThrow(/page:\/path/)
  })

  test('--from is a day that exists, or an instant', () => {
    expect(readDayOrInstant('2026-03-01')).toBe(Date.parse('2026-03-01T00:00:00Z'))
    expect(readDayOrInstant('2026-03-01T01:00:00+01:00')).toBe(Date.parse('2026-03-01T00:00:00Z'))
    for (const text of ['2026-02-30', '2026-13-01', 'yesterday', '2026-03-01 01:00']) {
      expect(() => readDayOrInstant(text), text).toThrow(/Give a UTC day/)
    }
    expect(() => readDayOrInstant('2026-03-01T01:00:00')).toThrow(/Give an instant that exists, with its zone/)
  })
})
