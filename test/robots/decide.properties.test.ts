/** What holds for every file and every target, compared with the plainest reading of RFC 9309 that is possible. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rulesDecider } from '#robots/decide.ts'
import { normalisePattern, normaliseTarget, octetsOf } from '#robots/octets.ts'
import { parseRobots } from '#robots/parse.ts'
import { indexPlaces } from '#robots/places.ts'
import { robotsTarget } from '#robots/target.ts'
import { anyText } from '../support/any-text.ts'

const decide = (file: string, target: string, token = 'PageBot') =>
  rulesDecider(parseRobots(Buffer.from(file)), robotsTarget(target)).decide(token)

/** Few letters, so that rules and targets meet often. */
const letter = fc.constantFrom('a', 'b', '/', '?', '%41', '%2f', 'é')
const path = fc.array(letter, { maxLength: 12 }).map((letters) => `/${letters.join('')}`)
const pattern = fc
  .array(fc.oneof({ weight: 3, arbitrary: letter }, { weight: 1, arbitrary: fc.constant('*') }), { maxLength: 10 })
  .chain((letters) => fc.constantFrom('', '$').map((end) => `/${letters.join('')}${end}`))
const rule = fc.record({ type: fc.constantFrom('Allow', 'Disallow'), pattern })
const file = (rules: readonly { type: string; pattern: string }[]) =>
  `User-agent: *\n${rules.map(({ type, pattern }) => `${type}: ${pattern}\n`).join('')}`

/** Backtracking by the letter of RFC 9309 2.2.3, in exponential time. */
function matchesPlainly(pattern: string, target: string): boolean {
  if (pattern === '') return true
  if (pattern === '$') return target === ''
  if (pattern.startsWith('*')) {
    return matchesPlainly(pattern.slice(1), target) || (target !== '' && matchesPlainly(pattern, target.slice(1)))
  }
  return target !== '' && pattern[0] === target[0] && matchesPlainly(pattern.slice(1), target.slice(1))
}

describe('decisions', () => {
  test('are those of plain backtracking over all rules', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), path, (rules, target) => {
        const octets = normaliseTarget(octetsOf(target))
        const matching = rules
          .map(({ type, pattern }) => ({ type, octets: normalisePattern(octetsOf(pattern)) }))
          .filter((one) => matchesPlainly(one.octets, octets))
        const longest = Math.max(0, ...matching.map((one) => one.octets.length))
        const deciding = matching.filter((one) => one.octets.length === longest)
        const expected = deciding.length === 0 || deciding.some(({ type }) => type === 'Allow')
        expect(decide(file(rules), target).decision).toBe(expected ? 'allowed' : 'disallowed')
      }),
      { numRuns: 2_000 },
    )
  })

  test('do not depend on the order of rules', () => {
    const shuffled = fc
      .array(rule, { maxLength: 8 })
      .chain((rules) => fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })))
    fc.assert(
      fc.property(shuffled, path, ([rules, others], target) => {
        expect(decide(file(others), target).decision).toBe(decide(file(rules), target).decision)
      }),
    )
  })

  test('follow a rule that equals the path', () => {
    const whole = fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url))
    fc.assert(
      fc.property(whole, ({ pathname, search }) => {
        const equal = `${pathname}${search}`.replaceAll('$', '%24')
        fc.pre(equal !== '/robots.txt')
        expect(decide(`User-agent: *\nDisallow: ${equal}\n`, pathname + search).decision).toBe('disallowed')
      }),
    )
  })
})

describe('normalisation', () => {
  const octets = anyText({ maxLength: 30 }).map(octetsOf)
  const escaped = fc.array(fc.constantFrom('%', '2', '5', '%41', '%2a', 'A', '*', '$', '\x00', ' '), { maxLength: 12 })
  const any = fc.oneof(
    octets,
    escaped.map((parts) => parts.join('')),
  )
  test.each([
    ['targets', normaliseTarget],
    ['patterns', normalisePattern],
  ])('of %s changes nothing the second time', (_, normalise) => {
    fc.assert(
      fc.property(any, (text) => {
        expect(normalise(normalise(text))).toBe(normalise(text))
      }),
    )
  })
})

test('an index finds what a plain search finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 60 })
  const part = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(text, part, fc.nat(70), (whole, searched, from) => {
      expect(indexPlaces(whole)(searched, from)).toBe(whole.indexOf(searched, from))
    }),
    { numRuns: 1_000 },
  )
})
