import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { getAnalyticsFunnel } from '#contract/site-api/funnels.ts'
import { funnelSlug } from '#tracker/definitions/slug.ts'
import { anyText } from '../../support/any-text.ts'

const ID = '0193e6a4-7c1f-4b2d-9a55-2f0c6d8e1b34'
const hex = '0193e6a47c1f4b2d9a552f0c6d8e1b34'
const ofContract = getAnalyticsFunnel.params.properties.funnel

describe('the slug of a funnel (spec 2.6, rules 6)', () => {
  test.each([
    ['Pricing to signup', 'pricing-to-signup'],
    ['  Große  Straße — Café!', 'gro-e-stra-e-cafe'],
    ['日本語', 'funnel'],
    ['---', 'funnel'],
    // 31 characters stay; the 32nd cuts at the word before it.
    ['abcdefghij abcdefghij abcdefghi', 'abcdefghij-abcdefghij-abcdefghi'],
    ['abcdefghij abcdefghij abcdefghij', 'abcdefghij-abcdefghij'],
    ['abcdefghij abcdefghij abcdefghi j', 'abcdefghij-abcdefghij-abcdefghi'],
    ['x'.repeat(64), 'x'.repeat(31)],
  ])('%s', (name, part) => {
    expect(funnelSlug(name, ID)).toBe(`${part}-${hex}`)
  })

  test('has the form that the contract names, for every name of a funnel', () => {
    const name = fc.oneof(
      anyText({ minLength: 1, maxLength: 64 }),
      fc
        .array(fc.constantFrom('a', 'Z', '9', ' ', '-', 'é', 'ﬁ', '½', '😀', 'İ'), { minLength: 1, maxLength: 64 })
        .map((c) => c.join('')),
    )
    fc.assert(
      fc.property(name, (text) => {
        const slug = funnelSlug(text, randomUUID())
        expect(slug.length).toBeLessThanOrEqual(64)
        expect(Value.Check(ofContract, slug), slug).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })
})
