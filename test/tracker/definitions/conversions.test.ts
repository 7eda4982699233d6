import Value from 'typebox/value'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { ConversionMatcher } from '#contract/site-api/funnel-definition.ts'
import { archiveConversion, editConversion, listConversions } from '#tracker/definitions/conversions.ts'
import { readConversionEdit } from '#tracker/definitions/definition-input.ts'
import { findConversionRevisions } from '#tracker/definitions/definitions.ts'
import { declareProperty, editProperty } from '#tracker/definitions/properties.ts'
import { openDefinitions, refusal, type TestDefinitions } from '../../support/definitions.ts'

let t: TestDefinitions
beforeEach(async () => {
  t = await openDefinitions()
  const signup = { site_id: t.site.id, event_name: 'signup' }
  const enum_values = Array.from({ length: 50 }, (_, n) => `v${n}`)
  await declareProperty(t.ctx, { ...signup, property_key: 'plan', scalar_kind: 'enum', enum_values })
  await declareProperty(t.ctx, { ...signup, property_key: 'seats', scalar_kind: 'integer' })
  await declareProperty(t.ctx, { ...signup, property_key: 'trial', scalar_kind: 'boolean' })
})
afterEach(() => t.opened.remove())

const event = (...property_rules: unknown[]) => ({ kind: 'event', event_name: 'signup', property_rules })
const rule = (property_key: string, operator: string, comparison: object) => ({ property_key, operator, comparison })
const page = (path: string, hostname?: string) => ({
  kind: 'pageview',
  path,
  ...(hostname === undefined ? {} : { hostname }),
})
const add = (matcher: unknown, name = 'Signed up') => t.conversion({ name, matcher })
const edit = (conversion: string, change: unknown, more: { revision?: number } = {}) =>
  editConversion(t.ctx, { site: t.site, conversion, edit: readConversionEdit(change), ...more })

describe('a conversion (decisions 5)', () => {
  test('is completed from the input of a person, and reads back as it was given', async () => {
    const rules = [
      rule('plan', 'equals', { value: 'v1' }),
      rule('plan', 'one_of', { values: ['v2', 'v3'] }),
      rule('seats', 'between', { lower: -5, upper: 20 }),
      rule('seats', 'equals', { value: 7 }),
      rule('trial', 'equals', { value: false }),
    ]
    const made = await add(event(...rules))
    expect(made).toMatchObject({ revision: 1, name: 'Signed up', effective_to: null, archived_at: null })
    expect(made.matcher.property_rules[2]).toEqual({
      event_name: 'signup',
      property_key: 'seats',
      property_revision: 1,
      scalar_kind: 'integer',
      operator: 'between',
      comparison: { lower: -5, upper: 20 },
    })
    expect(Value.Check(ConversionMatcher, made.matcher)).toBe(true)
    expect(await findConversionRevisions(t.ctx.control.db, t.site.id)).toEqual([made])
    expect(await edit('Signed up', { name: made.name, matcher: made.matcher })).toEqual({
      conversion: made,
      revised_funnels: [],
    })
  })

  test('is edited by a new revision that counts from now on', async () => {
    const made = await add(event(), 'Signed up')
    t.ctx.clock.advance(5_000)
    const { conversion } = await edit(made.conversion_id.toUpperCase(), { name: ' Registered ' })
    expect(conversion).toMatchObject({
      conversion_id: made.conversion_id,
      revision: 2,
      name: 'Registered',
      matcher: made.matcher,
      effective_from: t.ctx.clock.now(),
      effective_to: null,
    })
    expect(await findConversionRevisions(t.ctx.control.db, t.site.id)).toEqual([
      conversion,
      { ...made, effective_to: t.ctx.clock.now() },
    ])
    t.ctx.clock.advance(-60_000)
    const third = (await edit('Registered', { matcher: page('/done') })).conversion
    expect(third.effective_from).toBe(conversion.effective_from)
  })

  test('gets the current revision of its properties when it is edited', async () => {
    await add(event(rule('plan', 'equals', { value: 'v1' })))
    await editProperty(t.ctx, { site_id: t.site.id, event_name: 'signup', property_key: 'plan', enum_values: ['v1'] })
    const { conversion } = await edit('Signed up', { name: 'Registered' })
    expect(conversion.matcher.property_rules).toMatchObject([{ property_revision: 2, comparison: { value: 'v1' } }])
    const stale = { ...rule('plan', 'equals', { value: 'v1' }), property_revision: 1 }
    await expect(edit('Registered', { matcher: event(stale) })).rejects.toMatchObject(
      refusal('conflict', /has property_revision 2, not 1/),
    )
  })

  test('keeps both of two simultaneous edits, each with its own revision', async () => {
    await add(event())
    const other = await t.another()
    const one = { site: t.site, conversion: 'Signed up' }
    await Promise.all([
      editConversion(t.ctx, { ...one, edit: { matcher: { kind: 'pageview', path: '/a' } } }),
      editConversion(other, { ...one, edit: { matcher: { kind: 'pageview', path: '/b' } } }),
    ])
    const revisions = await findConversionRevisions(t.ctx.control.db, t.site.id)
    expect(revisions.map((row) => row.revision)).toEqual([1, 2, 3])
    expect(revisions.map((row) => row.effective_to === null)).toEqual([false, false, true])
    expect(revisions.every((row, at) => at === 0 || row.effective_from === revisions[at - 1]?.effective_to)).toBe(true)
    const both = await Promise.allSettled([
      editConversion(t.ctx, { ...one, revision: 3, edit: { matcher: { kind: 'pageview', path: '/c' } } }),
      editConversion(other, { ...one, revision: 3, edit: { matcher: { kind: 'pageview', path: '/d' } } }),
    ])
    expect(both.find((result) => result.status === 'rejected')).toMatchObject({
      reason: refusal('conflict', /is at revision 4, not 3/),
    })
  })

  test('is archived with its last revision, permanently', async () => {
    const made = await add(event())
    t.ctx.clock.advance(1_000)
    const archive = () => archiveConversion(t.ctx, { site: t.site, conversion: made.conversion_id })
    const archived = await archive()
    expect(archived).toEqual({ ...made, effective_to: t.ctx.clock.now(), archived_at: t.ctx.clock.now() })
    t.ctx.clock.advance(1_000)
    expect(await archive()).toEqual(archived)
    await expect(edit('Signed up', { name: 'x' })).rejects.toMatchObject(refusal('conflict', /is archived/))
    const next = await add(event())
    expect((await listConversions(t.ctx, t.site.id)).map((row) => row.conversion_id)).toEqual([
      next.conversion_id,
      made.conversion_id,
    ])
  })

  test('counts from the first day with evidence, from now where there is none, or as asked', async () => {
    const now = t.ctx.clock.now()
    expect((await add(event(), 'a')).effective_from).toBe(now)
    const first_event_at = Date.parse('2026-03-02T15:00:00Z')
    await t.ctx.control.db
      .insertInto('trackers')
      .values({
        site_id: t.site.id,
        enabled_at: 1,
        disabled_at: null,
        first_event_at,
        last_event_at: null,
        sealed_order_key: 'x',
      })
      .execute()
    expect((await add(event(), 'b')).effective_from).toBe(Date.parse('2026-03-02T00:00:00Z'))
    const asked = (at: number) => t.conversion({ name: String(at), matcher: event() }, at)
    expect((await asked(now)).effective_from).toBe(now)
    await expect(asked(now + 1)).rejects.toMatchObject(refusal('invalid_input', /in the future/))
    const earliest = Date.parse('2026-03-10T00:00:00Z') - 400 * DAY_MS
    expect((await asked(earliest)).effective_from).toBe(earliest)
    await expect(asked(earliest - 1)).rejects.toMatchObject(refusal('invalid_input', /400 days.*2025-02-03T00:00/))
  })

  test('100 are active at most; names are taken only by active ones', async () => {
    await add(event(), 'Conversion 0')
    await expect(add(event(), ' Conversion 0 ')).rejects.toMatchObject(refusal('conflict', /choose another name/))
    for (let n = 1; n < 100; n += 1) await add(event(), `Conversion ${n}`)
    await expect(add(event(), 'One more')).rejects.toMatchObject(refusal('conflict', /100 active/))
    await expect(edit('Conversion 1', { name: 'Conversion 0' })).rejects.toMatchObject({ kind: 'conflict' })
    await archiveConversion(t.ctx, { site: t.site, conversion: 'Conversion 0' })
    await add(event(), 'Conversion 0')
  })
})

describe('what a matcher may be (spec 2.6)', () => {
  test.each([
    [event(rule('color', 'equals', { value: 'red' })), /no property "color" in force/],
    [event(rule('plan', 'equals', { value: 'v50' })), /"v50" is not one of the declared values \(v0, v1, /],
    [event(rule('plan', 'equals', { value: 1 })), /not one of the declared/],
    [event(rule('plan', 'equals', { values: ['v1'] })), /equals takes value/],
    [event(rule('plan', 'one_of', { values: [] })), /1 to 50/],
    [event(rule('plan', 'one_of', { values: ['v1', 'v1'] })), /has a value twice/],
    [event(rule('plan', 'one_of', { values: ['v1', 'x'] })), /"x" is not one of the declared/],
    [event(rule('plan', 'between', { lower: 1, upper: 2 })), /for integers/],
    [event(rule('seats', 'one_of', { values: ['1'] })), /for enums/],
    [event(rule('seats', 'between', { lower: 2, upper: 1 })), /greater than upper/],
    [event(rule('seats', 'between', { lower: 2 })), /lower and upper/],
    [event(rule('seats', 'between', { lower: 1, upper: 2 ** 53 })), /within/],
    [event(rule('seats', 'equals', { value: '7' })), /whole number/],
    [event(rule('seats', 'equals', { value: 1e300 })), /whole number/],
    [event(rule('trial', 'equals', { value: 'true' })), /true or false/],
    [event(rule('trial', 'equals', { value: true, lower: 1 })), /nothing else/],
    [event(rule('plan', 'like', { value: 'v1' })), /operator must be one of equals/],
    [
      event({ ...rule('plan', 'equals', { value: 'v1' }), negate: true }),
      /matcher\.property_rules\.0\.negate is unknown/,
    ],
    [event(...Array.from({ length: 9 }, () => rule('trial', 'equals', { value: true }))), /at most 8/],
    [{ kind: 'event' }, /needs an event_name/],
    [{ kind: 'event', event_name: '9 lives' }, /is not an event name: give 1 to 64/],
    [{ kind: 'event', event_name: 'pageview' }, /kind pageview/],
    [{ kind: 'event', event_name: 'signup', path: '/a' }, /no path/],
    [{ kind: 'click' }, /kind/],
    [{ ...page('/a'), event_name: 'signup' }, /leave event_name and property_rules out/],
    [
      { ...page('/a'), property_rules: [rule('plan', 'equals', { value: 'v1' })] },
      /leave event_name and property_rules out/,
    ],
    ['signup', /malformed/],
  ])('not %j', async (matcher, why) => {
    await expect(add(matcher)).rejects.toMatchObject(refusal('invalid_input', why))
  })

  test('one_of takes 50 values, a conversion 8 rules, and may count revenue', async () => {
    const all = rule('plan', 'one_of', { values: Array.from({ length: 50 }, (_, n) => `v${n}`) })
    const made = await add(event(...Array.from({ length: 8 }, () => all)))
    expect(Value.Check(ConversionMatcher, made.matcher)).toBe(true)
    expect((await add({ kind: 'event', event_name: 'revenue' }, 'Bought')).matcher).toMatchObject({
      property_rules: [],
    })
  })

  test.each([
    ['', 'invalid_input'],
    ['x'.repeat(65), 'invalid_input'],
    ['a\tb', 'invalid_input'],
    ['\udc00', 'invalid_input'],
    ['\u200b\ufeff', 'invalid_input'],
  ])('no name like %j', async (name, kind) => {
    await expect(add(event(), name)).rejects.toMatchObject({ kind })
  })

  test('a name is the same however it was typed', async () => {
    const { name } = await add(event(), 'Cafe\u0301')
    expect(name).toBe('Caf\u00e9')
    await expect(add(event(), 'Caf\u00e9')).rejects.toMatchObject(refusal('conflict', /choose another name/))
    for (const typed of ['Cafe\u0301', 'Caf\u00e9'])
      expect(await edit(typed, {})).toMatchObject({ conversion: { name } })
  })

  test('a name of 64 characters, as people count them', async () => {
    expect(await add(event(), '😀'.repeat(64))).toMatchObject({ name: '😀'.repeat(64) })
  })
})
