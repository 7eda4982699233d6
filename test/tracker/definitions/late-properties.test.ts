import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { archiveConversion } from '#tracker/definitions/conversions.ts'
import { findConversionRevisions } from '#tracker/definitions/definitions.ts'
import { findLateProperties } from '#tracker/definitions/late-properties.ts'
import { declareProperty, editProperty, endProperty } from '#tracker/definitions/properties.ts'
import { openDefinitions, type TestDefinitions } from '../../support/definitions.ts'

let t: TestDefinitions
beforeEach(async () => {
  t = await openDefinitions('2026-03-02T12:00:00Z')
})
afterEach(() => t.opened.remove())

const plan = () => ({ site_id: t.site.id, event_name: 'signup', property_key: 'plan' })
const enumOf = (...enum_values: string[]) => ({ scalar_kind: 'enum' as const, enum_values })
/** Counts from 1 March on; made at `at`. */
const ruled = (name: string, operator: string, comparison: object) =>
  t.conversion(
    {
      name,
      matcher: {
        kind: 'event',
        event_name: 'signup',
        property_rules: [{ property_key: 'plan', operator, comparison }],
      },
    },
    Date.parse('2026-03-01T00:00:00Z'),
  )

/** Names of the conversions that may have missed events in a window from this day on. */
async function lateFrom(from: string): Promise<string[]> {
  const { db } = t.ctx.control
  const revisions = await findConversionRevisions(db, t.site.id)
  const asked = revisions.map((revision) => ({ ...revision, matchers: [revision.matcher] }))
  const late = await findLateProperties(db, t.site.id, asked, { from, to: '2026-03-20' })
  return revisions.filter(({ id }) => late.has(id)).map(({ name }) => name)
}

describe('what a rule could not see (rules 6.10)', () => {
  test('events before the property was declared', async () => {
    await declareProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro') })
    await ruled('Pro', 'equals', { value: 'pro' })
    expect(await lateFrom('2026-03-02')).toEqual(['Pro'])
    expect(await lateFrom('2026-03-03')).toEqual([])
  })

  test('events between the end of a property and its return', async () => {
    await declareProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro') })
    t.ctx.clock.set('2026-03-05T12:00:00Z')
    await endProperty(t.ctx, plan())
    t.ctx.clock.set('2026-03-08T12:00:00Z')
    await declareProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro') })
    await ruled('Pro', 'equals', { value: 'pro' })
    expect(await lateFrom('2026-03-03')).toEqual(['Pro'])
    expect(await lateFrom('2026-03-08')).toEqual(['Pro'])
    expect(await lateFrom('2026-03-09')).toEqual([])
  })

  test('values that were declared later than others', async () => {
    await declareProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro') })
    t.ctx.clock.set('2026-03-05T12:00:00Z')
    await editProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro', 'team') })
    await ruled('Free', 'equals', { value: 'free' })
    await ruled('Paid', 'one_of', { values: ['pro', 'team'] })
    await ruled('Team', 'equals', { value: 'team' })
    expect(await lateFrom('2026-03-03')).toEqual(['Paid', 'Team'])
    expect(await lateFrom('2026-03-06')).toEqual([])
  })

  test('an archived conversion has missed nothing', async () => {
    await declareProperty(t.ctx, { ...plan(), ...enumOf('free', 'pro') })
    await ruled('Pro', 'equals', { value: 'pro' })
    t.ctx.clock.set('2026-03-05T12:00:00Z')
    await archiveConversion(t.ctx, { site: t.site, conversion: 'Pro' })
    await endProperty(t.ctx, plan())
    expect(await lateFrom('2026-03-03')).toEqual([])
    expect(await lateFrom('2026-03-10')).toEqual([])
    expect(await lateFrom('2026-03-01')).toEqual(['Pro'])
  })
})
