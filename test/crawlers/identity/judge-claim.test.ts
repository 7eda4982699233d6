import { describe, expect, test } from 'vitest'
import { judgeClaim, type Verdict } from '#crawlers/identity/judge-claim.ts'
import { listCode, NOTHING_KNOWN, type ProofFacts, proofText, readProof } from '#crawlers/identity/proof-facts.ts'
import { readBuiltInRegistry } from '#crawlers/registry/built-in.ts'

const registry = readBuiltInRegistry()
const GPTBOT = listCode('https://openai.com/gptbot.json')
const SEARCHBOT = listCode('https://openai.com/searchbot.json')
const ANTHROPIC = listCode('https://claude.com/crawling/bots.json')
const GOOGLE = listCode('https://developers.google.com/static/crawling/ipranges/common-crawlers.json')
const HELD = [GPTBOT, SEARCHBOT, ANTHROPIC, GOOGLE]

const attested = (...lists: string[]): ProofFacts => ({
  ...NOTHING_KNOWN,
  attested: true,
  held: HELD,
  in: lists.map((list) => ({ list, sha256: 'f'.repeat(64) })),
})

const VERIFIED: Verdict = { outcome: 'verified', identity: 'network_verified' }
const VOUCHED: Verdict = { outcome: 'verified', identity: 'provider_verified' }
const FAILED: Verdict = { outcome: 'failed', identity: 'unknown' }
const UNVERIFIABLE: Verdict = { outcome: 'unverifiable', identity: 'ua_identified' }
const NOT_CHECKED: Verdict = { outcome: 'not_checked', identity: 'ua_identified' }

function verdict(crawlerId: string, facts: ProofFacts | null): Verdict {
  const entry = registry.entry(crawlerId)
  if (entry === undefined) throw new Error(`${crawlerId} is not in the registry`)
  // What is judged is what was at rest.
  return judgeClaim(registry, entry, facts === null ? null : readProof(proofText(facts)))
}

const cloudflare = { name: 'cloudflare', verdict: 'verified' } as const

describe('a claim', () => {
  test.each<[string, string, ProofFacts | null, Verdict]>([
    ['from its own list', 'gptbot', attested(GPTBOT), VERIFIED],
    ['from a list of several products of its vendor', 'claude-user', attested(ANTHROPIC), VERIFIED],
    ['of another vendor’s product from that list', 'gptbot', attested(ANTHROPIC), FAILED],
    ['from no list', 'gptbot', attested(), FAILED],
    ['from another list of its vendor', 'gptbot', attested(SEARCHBOT), UNVERIFIABLE],
    ['when only other lists were held', 'gptbot', { ...attested(), held: [ANTHROPIC] }, NOT_CHECKED],
    ['when no list was held', 'gptbot', { ...attested(), held: [] }, NOT_CHECKED],
    ['of which nothing is known', 'gptbot', null, NOT_CHECKED],
    ['whose address is not the client’s', 'gptbot', { ...attested(), attested: false }, UNVERIFIABLE],
    ['of a vendor that publishes nothing', 'bytespider', attested(), UNVERIFIABLE],
    ['of a program on people’s machines', 'claude-code', attested(), UNVERIFIABLE],
    ['with a confirmed name', 'googlebot', { ...attested(), rdns: { suffix: '.googlebot.com' } }, VERIFIED],
    [
      'whose names are still asked for, outside its list',
      'googlebot',
      { ...attested(), rdns: { pending: 'x' } },
      FAILED,
    ],
    ['whose names confirm nothing, outside its list', 'googlebot', { ...attested(), rdns: 'none' }, FAILED],
    [
      'whose names confirm nothing, with its list not held',
      'googlebot',
      { ...attested(), held: [], rdns: 'none' },
      NOT_CHECKED,
    ],
    ['by names alone, confirmed', 'yandexbot', { ...attested(), rdns: { suffix: '.yandex.ru' } }, VERIFIED],
    [
      'by names alone, confirmed under another domain',
      'yandexbot',
      { ...attested(), rdns: { suffix: '.example.com' } },
      FAILED,
    ],
    ['by names alone, none', 'yandexbot', { ...attested(), rdns: 'none' }, FAILED],
    ['by names alone, still asked for', 'yandexbot', { ...attested(), rdns: { pending: 'x' } }, NOT_CHECKED],
    ['by names alone, never asked for', 'yandexbot', attested(), NOT_CHECKED],
    ['with the provider’s verdict', 'gptbot', { ...NOTHING_KNOWN, provider: cloudflare }, VOUCHED],
    ['with a verified signature', 'youbot', { ...NOTHING_KNOWN, signature: 'verified' }, VOUCHED],
    ['with both proof and verdict', 'gptbot', { ...attested(GPTBOT), provider: cloudflare }, VERIFIED],
    ['with a verdict, outside its list', 'gptbot', { ...attested(), provider: cloudflare }, VOUCHED],
  ])('%s: %s', (_what, crawlerId, facts, expected) => expect(verdict(crawlerId, facts)).toEqual(expected))
})

describe('the text of a proof', () => {
  test('is the same for the same facts, whatever their order', () => {
    const facts = attested(GPTBOT, SEARCHBOT)
    const turned = { ...facts, held: facts.held.toReversed(), in: facts.in.toReversed() }
    expect(proofText(turned)).toBe(proofText(facts))
  })

  test('is empty when nothing is known, and only then', () => {
    expect(proofText({ ...NOTHING_KNOWN, attested: true })).toBe('')
    expect(readProof('')).toBeNull()
    expect(proofText(NOTHING_KNOWN)).toBe('{"attested":false}')
  })

  test.each<ProofFacts>([
    { ...attested(GPTBOT), held: HELD.toSorted() },
    NOTHING_KNOWN,
    { ...NOTHING_KNOWN, provider: cloudflare, signature: 'verified' },
    { ...attested(), held: [GPTBOT], rdns: { pending: '7f1b8e9a-0000-4000-8000-000000000000' } },
    { ...attested(), held: [], rdns: 'none' },
  ])('holds all of %o', (facts) => expect(readProof(proofText(facts))).toEqual(facts))
})
