import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  declareProperty,
  editProperty,
  endProperty,
  findPropertiesInForce,
  listProperties,
} from '#tracker/definitions/properties.ts'
import { openDefinitions, refusal, refusalWith, type TestDefinitions } from '../../support/definitions.ts'

let t: TestDefinitions
beforeEach(async () => {
  t = await openDefinitions()
})
afterEach(() => t.opened.remove())

const named = (property_key: string, event_name = 'signup') => ({ site_id: t.site.id, event_name, property_key })
const declare = (property_key: string, kind: object = { scalar_kind: 'integer' }, event_name = 'signup') =>
  declareProperty(t.ctx, { ...named(property_key, event_name), ...(kind as { scalar_kind: 'integer' }) })
const plan = { scalar_kind: 'enum', enum_values: ['free', 'pro'] }

describe('a property (decisions 5)', () => {
  test('is declared, changed by a new revision, ended, and declared again with the next one', async () => {
    const first = await declare('plan', plan)
    expect(first).toMatchObject({ revision: 1, scalar_kind: 'enum', enum_values: ['free', 'pro'], ended_at: null })
    expect(await editProperty(t.ctx, { ...named('plan'), enum_values: ['free', 'pro'] })).toEqual(first)
    t.ctx.clock.advance(1_000)
    const second = await editProperty(t.ctx, { ...named('plan'), enum_values: ['free', 'pro', 'team'] })
    expect(second).toMatchObject({ revision: 2, created_at: t.ctx.clock.now(), ended_at: null })
    expect(await listProperties(t.ctx, t.site.id)).toEqual([{ ...first, ended_at: t.ctx.clock.now() }, second])
    expect(await editProperty(t.ctx, { ...named('plan'), scalar_kind: 'boolean' })).toMatchObject({
      revision: 3,
      scalar_kind: 'boolean',
      enum_values: null,
    })
    await endProperty(t.ctx, named('plan'))
    expect(await findPropertiesInForce(t.ctx.control.db, t.site.id)).toEqual([])
    await expect(endProperty(t.ctx, named('plan'))).rejects.toMatchObject(refusalWith('not_found', 'property.list'))
    await expect(editProperty(t.ctx, named('plan'))).rejects.toMatchObject({ kind: 'not_found' })
    expect(await declare('plan')).toMatchObject({ revision: 4, scalar_kind: 'integer' })
  })

  test('is declared once, also by two at the same time', async () => {
    const other = await t.another()
    const both = await Promise.allSettled([
      declare('seats'),
      declareProperty(other, { ...named('seats'), scalar_kind: 'boolean' }),
    ])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')).toMatchObject({
      reason: refusalWith('conflict', 'property.edit'),
    })
    const edits = ['boolean', 'enum'].map((scalar_kind, at) =>
      editProperty(at === 0 ? t.ctx : other, {
        ...named('seats'),
        ...(scalar_kind === 'enum' ? { scalar_kind, enum_values: ['1'] } : { scalar_kind: 'boolean' }),
      } as Parameters<typeof editProperty>[1]),
    )
    await Promise.all(edits)
    const revisions = await listProperties(t.ctx, t.site.id)
    expect(revisions.map((row) => row.revision)).toEqual(revisions.map((_, at) => at + 1))
    expect(revisions.filter((row) => row.ended_at === null)).toHaveLength(1)
  })

  test.each([
    ['1plan', 'signup', /is not a property key: give 1 to 48/],
    ['Plan', 'signup', /is not a property key: give 1 to 48/],
    [`p${'x'.repeat(48)}`, 'signup', /is not a property key: give 1 to 48/],
    ['plan', '1signup', /is not an event name: give 1 to 64/],
    ['plan', `s${'x'.repeat(64)}`, /is not an event name: give 1 to 64/],
    ['plan', 'sign\nup', /is not an event name: give 1 to 64/],
    ['plan', 'pageview', /Pageviews have no properties/],
  ])('is not called %s of %s', async (key, event, why) => {
    await expect(declare(key, plan, event)).rejects.toMatchObject(refusal('invalid_input', why))
  })

  test('has a key of 48 and an event of 64 characters at most, and may belong to revenue', async () => {
    const longest = await declare(`p${'x'.repeat(47)}`, plan, `S${'x'.repeat(63)}`)
    expect(longest.revision).toBe(1)
    expect(await declare('plan', plan, 'revenue')).toMatchObject({ event_name: 'revenue' })
  })

  test.each([
    [{ scalar_kind: 'enum' }, /1 to 50 values; 0 were given/],
    [{ scalar_kind: 'enum', enum_values: Array.from({ length: 51 }, (_, n) => `v${n}`) }, /51 were given/],
    [{ scalar_kind: 'enum', enum_values: ['a', 'a'] }, /has the value "a" twice/],
    [{ scalar_kind: 'enum', enum_values: [''] }, /cannot be a value of an enum: give/],
    [{ scalar_kind: 'enum', enum_values: ['x'.repeat(65)] }, /cannot be a value of an enum: give/],
    [{ scalar_kind: 'enum', enum_values: ['a\u0000'] }, /cannot be a value of an enum: give/],
    [{ scalar_kind: 'enum', enum_values: ['\ud83d'] }, /cannot be a value of an enum: give/],
    [{ scalar_kind: 'integer', enum_values: ['a'] }, /Only enums/],
  ])('refuses %j', async (kind, why) => {
    await expect(declare('plan', kind)).rejects.toMatchObject(refusal('invalid_input', why))
  })

  test('accepts 50 values of 64 characters, counted as people do', async () => {
    const enum_values = Array.from({ length: 50 }, (_, n) => `${n}`.padStart(2, '0') + '😀'.repeat(62))
    expect(await declare('mood', { scalar_kind: 'enum', enum_values })).toMatchObject({ enum_values })
  })

  test('changes and ends only so that rules of active conversions still fit', async () => {
    await declare('plan', plan)
    const rule = { property_key: 'plan', operator: 'equals', comparison: { value: 'pro' } }
    const made = await t.conversion({
      name: 'Paid',
      matcher: { kind: 'event', event_name: 'signup', property_rules: [rule] },
    })
    expect(made.matcher.property_rules).toMatchObject([{ property_revision: 1 }])
    const edit = (change: object) => editProperty(t.ctx, { ...named('plan'), ...change })
    await expect(edit({ enum_values: ['free'] })).rejects.toMatchObject(refusal('conflict', /Paid/))
    await expect(edit({ scalar_kind: 'integer' })).rejects.toMatchObject(refusal('conflict', /Paid/))
    await expect(endProperty(t.ctx, named('plan'))).rejects.toMatchObject(refusal('conflict', /Paid/))
    expect(await edit({ enum_values: ['pro', 'team'] })).toMatchObject({ revision: 2 })
  })

  test('an invalid value is reported without terminal control characters', async () => {
    const values = ['a\u001b[2Jb\u202e']
    await expect(declare('plan', { scalar_kind: 'enum', enum_values: values })).rejects.toMatchObject(
      refusal('invalid_input', /^"a\ufffd\[2Jb\ufffd" cannot be a value of an enum/),
    )
  })

  test('500 are in force at most', async () => {
    const { id } = t.site
    const rows = Array.from({ length: 499 }, (_, n) => ({
      id: crypto.randomUUID(),
      site_id: id,
      event_name: 'signup',
      property_key: `p${n}`,
      revision: 1,
      scalar_kind: 'integer' as const,
      enum_values: null,
      created_at: 1,
      ended_at: null,
    }))
    await t.ctx.control.db.insertInto('properties').values(rows).execute()
    await declare('last')
    await expect(declare('beyond')).rejects.toMatchObject(refusal('conflict', /500/))
    await endProperty(t.ctx, named('p0'))
    await declare('beyond')
  })
})
