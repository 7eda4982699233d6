import { describe, expect, test } from 'vitest'
import {
  conversionDefinition,
  type Draft,
  draftOf,
  draftWords,
  faultsOf,
  NEW_DRAFT,
  newRule,
  OPERATORS_OF,
  type Property,
} from '../../../dashboard/pages/conversions/draft.ts'
import { MatcherFields } from '../../../dashboard/pages/conversions/matcher-fields.tsx'
import { NewConversionPage } from '../../../dashboard/pages/conversions/new-page.tsx'
import { PropertiesPage } from '../../../dashboard/pages/conversions/properties-page.tsx'
import { savedWords, valuesOf } from '../../../dashboard/pages/conversions/property-form.tsx'
import {
  funnelDefinition,
  moved,
  type StepDraft,
  stepOf,
  stepsFault,
  suggestedName,
} from '../../../dashboard/pages/funnels/draft.ts'
import { EditFunnelPage } from '../../../dashboard/pages/funnels/edit-page.tsx'
import { NewFunnelPage } from '../../../dashboard/pages/funnels/new-page.tsx'
import { READ_FAILED } from '../../../dashboard/words/refusals.ts'
import type { AnalyticsEvents } from '../../../src/contract/site-api/index.ts'
import { answered, type Held, refused, renderOnSite, SITE, session, textOf } from '../render.tsx'
import { conversions, funnel, pages, unknownPages } from '../tracker-answers.ts'

const plan: Property = {
  id: SITE,
  site_id: SITE,
  event_name: 'signup',
  property_key: 'plan',
  revision: 1,
  scalar_kind: 'enum',
  enum_values: ['free', 'pro'],
  created_at: '2026-11-01T00:00:00.000Z',
  ended_at: null,
}

describe('a draft of a conversion', () => {
  const draft = { ...NEW_DRAFT, name: 'Paid', event_name: 'signup', rules: [{ ...newRule(plan), values: ['pro'] }] }
  test('becomes the definition that the service reads, and a sentence', () => {
    expect(conversionDefinition(draft, [plan])).toEqual({
      name: 'Paid',
      matcher: {
        kind: 'event',
        event_name: 'signup',
        property_rules: [{ property_key: 'plan', operator: 'one_of', comparison: { values: ['pro'] } }],
      },
    })
    expect(draftWords(draft, [plan])).toBe('signup where plan is pro')
    expect(faultsOf(draft)).toEqual({})
  })
  test('round-trips what was stored', () => {
    const [row] = conversions().conversions
    const again = draftOf(row as NonNullable<typeof row>)
    expect(again).toMatchObject({ name: row?.name, event_name: 'signup', rules: [{ values: ['pro', 'team'] }] })
  })
  test('keeps a rule as it was stored while its values do not change', () => {
    const rule = (operator: 'equals' | 'one_of', comparison: { value: string } | { values: string[] }) => ({
      event_name: 'signup',
      property_key: 'plan',
      property_revision: 1,
      scalar_kind: 'enum' as const,
      operator,
      comparison,
    })
    const rulesOfDraft = (stored: ReturnType<typeof rule>, values?: string[]) => {
      const matcher = { kind: 'event' as const, event_name: 'signup', property_rules: [stored] }
      const { rules, ...others } = draftOf({ name: 'Paid', matcher })
      const changed = rules.map((one) => (values === undefined ? one : { ...one, values }))
      return conversionDefinition({ ...others, rules: changed }, [plan]).matcher.property_rules
    }
    const [equal, one_of] = [rule('equals', { value: 'pro' }), rule('one_of', { values: ['pro'] })]
    expect(rulesOfDraft(equal)).toMatchObject([{ operator: 'equals', comparison: { value: 'pro' } }])
    expect(rulesOfDraft(one_of)).toMatchObject([{ operator: 'one_of', comparison: { values: ['pro'] } }])
    const both = ['pro', 'free']
    expect(rulesOfDraft(equal, both)).toMatchObject([{ operator: 'one_of', comparison: { values: both } }])
  })
  test('names what is missing', () => {
    expect(Object.keys(faultsOf({ ...NEW_DRAFT, rules: [newRule(plan)] }))).toEqual(['name', 'event_name', 'rules'])
    expect(faultsOf({ ...draft, kind: 'pageview', path: 'thanks' }).path).toContain('"thanks" is not a path')
  })
  test('offers the operators that a kind allows', () => {
    expect(OPERATORS_OF).toEqual({ enum: ['one_of'], integer: ['equals', 'between'], boolean: ['equals'] })
    expect(valuesOf(' pro \n\n team')).toEqual(['pro', 'team'])
  })
})

test('a saved property says whether it is new, changed, or as it was', () => {
  expect(savedWords('plan', 1, null)).toBe('The property plan is declared.')
  expect(savedWords('plan', 2, { revision: 1 })).toBe('Revision 2 of the property plan is in force from now on.')
  expect(savedWords('plan', 1, { revision: 1 })).toBe('Nothing changed, so there is no new revision.')
})

describe('a draft of a funnel', () => {
  const steps: StepDraft[] = ['/a', '/b', '/c'].map((path) => ({ kind: 'page', hostname: 'example.com', path }))
  const order = (list: readonly StepDraft[]) => list.map((step) => (step.kind === 'page' ? step.path : step.name))
  test('steps move, and not past the ends', () => {
    expect(order(moved(steps, 0, 2))).toEqual(['/b', '/c', '/a'])
    expect(order(moved(steps, 2, 1))).toEqual(['/a', '/c', '/b'])
    expect(moved(steps, 0, -1)).toBe(steps)
    expect(moved(steps, 2, 3)).toBe(steps)
  })
  test('two to five steps make a funnel', () => {
    expect(stepsFault(steps)).toBeNull()
    expect([suggestedName(steps), suggestedName(steps.slice(0, 1))]).toEqual(['/a to /c', ''])
    expect(stepsFault(steps.slice(0, 1))).toBe('A funnel has 2 to 5 steps; this one has 1.')
    expect(funnelDefinition('Way', steps).steps[1]).toEqual({ kind: 'page', hostname: 'example.com', path: '/b' })
    expect(funnel('measured').steps.map(({ definition }) => stepOf(definition))[0]).toMatchObject({ path: '/pricing' })
  })
})

describe('pages', () => {
  const seen = answered('getAnalyticsPages', { site: SITE, window: '30d', limit: 100 }, pages())
  test('the builder offers visited pages with their counts, and previews only on its button', async () => {
    const markup = await renderOnSite(<NewFunnelPage />, { at: 'funnels/new', reads: [seen] })
    expect(textOf(markup)).toContain('example.com/pricing 467 pageviews')
    expect(textOf(markup)).toContain('Pick 2 to 5 pages or conversions.')
    expect(textOf(markup)).toContain('A funnel has 2 to 5 steps; this one has 0.')
  })
  test('data that could not be read is not reported as missing', async () => {
    const conversions = refused('conversion.list', { site: SITE }, 500)
    const steps = textOf(await renderOnSite(<NewFunnelPage />, { at: 'funnels/new', reads: [seen, conversions] }))
    expect(steps).toContain(`${READ_FAILED} Try again`)
    expect(steps).not.toContain('Nothing counts as a conversion yet.')
    const reads = [refused('property.list', { site: SITE }, 500)]
    const rules = textOf(await renderOnSite(<NewConversionPage />, { at: 'conversions/new', reads }))
    expect(rules).toContain(`${READ_FAILED} Try again`)
    expect(rules).not.toContain('Pick an event first.')
  })
  test('a name or page is called unseen only if everything that was seen is listed', async () => {
    const fields = async (change: Partial<Draft>, reads: readonly Held[]) => {
      const props = { draft: { ...NEW_DRAFT, ...change }, set: () => undefined, faults: {}, is_checked: false }
      return textOf(await renderOnSite(<MatcherFields {...props} />, { at: 'conversions/new', reads }))
    }
    const list = { rows: [], returned_count: 0, total_count: 0, truncated: false }
    const events = (event_count: number | null, withheld_count: number | null) => {
      const answer = { event_count, events: { ...list, withheld_count } }
      return answered('getAnalyticsEvents', { site: SITE, window: '30d' }, answer as unknown as AnalyticsEvents)
    }
    const event = { event_name: 'signup' }
    const unseen_event = 'This name was not seen in the last 30 days.'
    expect(await fields(event, [events(0, 0)])).toContain(unseen_event)
    const withheld = await fields(event, [events(0, 1)])
    expect(withheld).not.toContain(unseen_event)
    expect(withheld).toContain('No event has enough visitors to be shown. 1 name of few visitors withheld.')
    expect(await fields(event, [events(null, null)])).not.toContain(unseen_event)
    const failed = refused('getAnalyticsEvents', { site: SITE, window: '30d' }, 500)
    expect(await fields(event, [failed])).not.toContain(unseen_event)
    const page = { kind: 'pageview', hostname: 'example.com', path: '/thanks' } as const
    const unseen_page = 'No visitor was seen on this page in the last 30 days.'
    const pages_read = { site: SITE, window: '30d', limit: 100 } as const
    expect(await fields(page, [seen])).toContain(unseen_page)
    expect(await fields(page, [answered('getAnalyticsPages', pages_read, unknownPages())])).not.toContain(unseen_page)
    expect(await fields(page, [refused('getAnalyticsPages', pages_read, 500)])).not.toContain(unseen_page)
  })
  test('editing says which revision it makes', async () => {
    const { steps } = funnel('measured')
    const revision = {
      id: SITE,
      slug: 'way',
      name: 'Way',
      definition_state: 'active' as const,
      revision_id: SITE,
      revision: 3,
      effective_from: '2026-09-14T00:00:00.000Z',
      effective_to: null,
      archived_at: null,
      created_at: '2026-09-14T00:00:00.000Z',
      steps: steps.map(({ definition }) => definition),
    }
    const read = answered('funnel.show', { site: SITE, funnel: 'way' }, { ...revision, revisions: [revision] })
    const text = textOf(await renderOnSite(<EditFunnelPage />, { at: 'funnels/way', reads: [read] }))
    expect(text).toContain('Creates revision 4 from now on. Revision 3 keeps its numbers.')
    expect(text).toContain('Sees example.com/compare')
  })
  test('people who may not change definitions see who can', async () => {
    const reads = [session({}, 'viewer'), answered('property.list', { site: SITE }, { properties: [plan] })]
    expect(await renderOnSite(<NewConversionPage />, { at: 'conversions/new', reads })).toContain(
      'Owners and editors can do this.',
    )
    const properties = textOf(await renderOnSite(<PropertiesPage />, { at: 'conversions/properties', reads }))
    expect(properties).toContain('free, pro')
    expect(properties).toContain('Owners and editors can do this.')
  })
})
