import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInDocument, readBuiltInRegistry } from '#crawlers/registry/built-in.ts'
import { compileRegistry } from '#crawlers/registry/classify.ts'
import type { RegistryEntry } from '#crawlers/registry/document.ts'
import { makeDocument, makeEntry } from './make-registry.ts'

const registry = readBuiltInRegistry()
const idOf = (userAgent: string): string | null => registry.classify(userAgent)?.crawler_id ?? null
const bounded = registry.entries.filter(({ match }) => match === 'token')
const boundedTokens = bounded.flatMap((entry) => entry.user_agent_tokens.map((token) => ({ token, entry })))

describe('a user agent is labelled by the token it carries (decisions 3.3)', () => {
  const examples = registry.entries.flatMap((entry) =>
    entry.example_user_agents.map((userAgent) => [entry.crawler_id, userAgent] as const),
  )
  it.each(examples)('%s: %s', (crawlerId, userAgent) => {
    expect(idOf(userAgent)).toBe(crawlerId)
  })

  it.each([
    [
      'gptbot',
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/9.9; robots.txt; +https://openai.com/gptbot',
    ],
    [
      'oai-searchbot',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3',
    ],
    ['petalbot', 'Mozilla/5.0 (compatible;PetalBot;+https://www.example.com/)'],
    ['googleother', 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; GoogleOther)'],
    ['ccbot', 'CCBot'],
    ['meta-externalagent', 'Meta-ExternalAgent/2'],
    ['perplexity-user', 'PerplexityUser/1.0'],
    ['kangaroo-bot', 'Mozilla/5.0 (compatible; KangarooBot/2.0)'],
    ['exabot-ai', 'Mozilla/5.0 (compatible; ExaBot/1.0 (+https://exa.ai/bot))'],
  ])('finds %s in every position and with every version', (crawlerId, userAgent) => {
    expect(idOf(userAgent)).toBe(crawlerId)
  })

  it('does not mind case', () => {
    for (const { token, entry } of boundedTokens) {
      expect(idOf(`Sample (${token.toUpperCase()})`)).toBe(entry.crawler_id)
      expect(idOf(`Sample (${token.toLowerCase()})`)).toBe(entry.crawler_id)
    }
  })

  it.each(['', '-', ' ', 'Mozilla/5.0', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'])(
    '%j names no crawler',
    (userAgent) => {
      expect(idOf(userAgent)).toBeNull()
    },
  )
})

describe('the longest token counts, never two (decisions 3.3)', () => {
  it.each([
    ['AI2Bot (+https://www.example.org)', 'ai2bot'],
    ['AI2Bot-DeepResearchEval (+https://www.example.org)', 'ai2bot-deepresearcheval'],
    ['GoogleOther/1.0', 'googleother'],
    ['GoogleOther-Image/1.0', 'googleother-image'],
    ['GoogleOther-Video/1.0', 'googleother-video'],
    ['Diffbot/2.1', 'diffbot'],
    ['Mozilla/5.0 (compatible; Diffbot-User/1.0)', 'diffbot-user'],
    ['omgili/0.6', 'omgili'],
    ['omgilibot/0.6', 'omgili'],
    ['Claude-User/1.0', 'claude-user'],
    ['Claude-User (claude-code/3.0.1)', 'claude-code'],
    ['Applebot/0.1', 'applebot'],
    ['Googlebot-Image/1.0', 'googlebot'],
    ['GPTBot/1.1 OAI-SearchBot/1.0', 'oai-searchbot'],
    ['OAI-SearchBot/1.0 GPTBot/1.1', 'oai-searchbot'],
  ])('%s', (userAgent, crawlerId) => {
    expect(idOf(userAgent)).toBe(crawlerId)
  })

  it('of two tokens of equal length, the first in the agent counts', () => {
    expect(idOf('GPTBot/1.0 YouBot/1.0')).toBe('gptbot')
    expect(idOf('YouBot/1.0 GPTBot/1.0')).toBe('youbot')
  })

  it('finds the longer of two overlapping tokens, though it begins inside the other', () => {
    const overlapping = compileRegistry(
      makeDocument([
        makeEntry('first', { user_agent_tokens: ['Sample Reader'] }),
        makeEntry('second', { user_agent_tokens: ['Reader Of Pages'] }),
      ]),
    )
    expect(overlapping.classify('Sample Reader Of Pages/1.0')?.crawler_id).toBe('second')
  })

  it('an excluded longer token leaves the shorter one in play', () => {
    const excluding = compileRegistry(
      makeDocument([
        makeEntry('short', { user_agent_tokens: ['Reader'] }),
        makeEntry('long', { user_agent_tokens: ['Reader-Pages'], user_agent_excludes: ['no pages'] }),
      ]),
    )
    expect(excluding.classify('Reader-Pages/1')?.crawler_id).toBe('long')
    expect(excluding.classify('Reader-Pages/1 (NO PAGES)')?.crawler_id).toBe('short')
  })
})

describe('a token stands alone', () => {
  it.each([
    'OnlinerBot/1.0',
    'HeadlinerBot',
    'AnythingGPTBot/1.0',
    'BrandiBot/2.0',
    'GPTBots/1.0',
    'GPTBot2',
    'Alexabot/1.0',
    'Exabot/3.0',
  ])('%s is another product', (userAgent) => {
    expect(idOf(`Mozilla/5.0 (compatible; ${userAgent})`)).toBeNull()
  })

  it('a token that ends in a slash needs its slash, and its version follows', () => {
    expect(idOf('bingbot/2.0')).toBe('bingbot')
    expect(idOf('adidxbot/2.0 (+http://www.bing.com/bingbot.htm)')).toBeNull()
    expect(idOf('devin')).toBeNull()
  })

  it('a letter that lower-casing turns into an ASCII one is not a match: it is another name', () => {
    expect(idOf('\u212aimiBot/1.0')).toBeNull()
    expect(idOf('\u0130\u0130 KimiBot/1.0')).toBe('kimibot')
  })

  const alphanumeric = fc.stringMatching(/^[A-Za-z0-9]+$/)
  const separator = fc.stringMatching(/^[ ;(),:+*]+$/)

  it('a letter or a digit before a token always hides it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...boundedTokens),
        alphanumeric,
        alphanumeric,
        separator,
        (chosen, far, near, gap) => {
          const alone = compileRegistry(makeDocument([makeEntry('alone', { user_agent_tokens: [chosen.token] })]))
          expect(alone.classify(`${far}${gap}${near}${chosen.token}${gap}${far}`)).toBeNull()
        },
      ),
    )
  })

  it('a letter or a digit after a token hides it, unless the token ends in a slash', () => {
    fc.assert(
      fc.property(fc.constantFrom(...boundedTokens), alphanumeric, separator, (chosen, near, gap) => {
        const alone = compileRegistry(makeDocument([makeEntry('alone', { user_agent_tokens: [chosen.token] })]))
        const found = alone.classify(`${gap}${chosen.token}${near}${gap}`)
        expect(found === null).toBe(!chosen.token.endsWith('/'))
      }),
    )
  })

  it('any mixture of tokens and text gets the label of a plain search for each token', () => {
    const piece = fc.oneof(
      fc.constantFrom(...registry.entries.flatMap((entry) => entry.user_agent_tokens)),
      fc.constantFrom(...registry.entries.flatMap((entry) => entry.user_agent_excludes)),
      fc.constantFrom(' ', '; ', '-', '/', '/1.0', 'x', '7', '(', 'Mozilla/5.0 '),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const userAgent = pieces.join('')
        expect(idOf(userAgent)).toBe(searchPlainly(userAgent))
      }),
      { numRuns: 1000 },
    )
  })
})

/** The rule written out slowly: every token at every place; the longest wins, then the first. */
function searchPlainly(userAgent: string): string | null {
  const lower = userAgent.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  let best = { length: 0, at: 0, id: null as string | null }
  for (const entry of registry.entries) {
    if (entry.user_agent_excludes.some((text) => lower.includes(text.toLowerCase()))) continue
    for (const token of entry.user_agent_tokens) {
      const at = placeOf(lower, token.toLowerCase(), entry)
      if (at === -1) continue
      if (token.length > best.length || (token.length === best.length && at < best.at)) {
        best = { length: token.length, at, id: entry.crawler_id }
      }
    }
  }
  return best.id
}

function placeOf(text: string, token: string, entry: RegistryEntry): number {
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const before = at === 0 ? '' : text.charAt(at - 1)
    const after = token.endsWith('/') ? '' : text.charAt(at + token.length)
    if (entry.match === 'substring' || !/[a-z0-9]/.test(before + after)) return at
  }
  return -1
}

describe('excludes and robots-only tokens', () => {
  it.each([
    'FreshReader/1.2 (like Googlebot/2.1)',
    'Mozilla/5.0 (compatible; SampleReader/1.0; compatible with Googlebot/2.1)',
    'Fake-Googlebot/2.1',
    'Googlebot-News',
    'Mozilla/5.0 (compatible; Applebot-Extended/0.1)',
    'Mozilla/5.0 (compatible; Google-Extended/1.0)',
    'LinkupBot/1.0 (https://www.linkup.com)',
  ])('%s is not a crawler of ours', (userAgent) => {
    expect(idOf(userAgent)).toBeNull()
  })

  it('a token that only robots.txt knows matches no request', () => {
    const tokens = registry.entries.filter((entry) => entry.robots_only).map((entry) => entry.robots_token)
    expect(tokens).toEqual(['Google-Extended', 'Applebot-Extended'])
    for (const token of tokens) expect(idOf(`${token}`)).toBeNull()
  })
})

describe('the registry that ships', () => {
  it('has its version and its 131 entries, found by id', () => {
    expect(registry.version).toBe('2026-11-22.1')
    expect(registry.entries).toHaveLength(131)
    expect(registry.entry('gptbot')?.platform).toBe('OpenAI')
    expect(registry.entry('nobody')).toBeUndefined()
  })

  it('declares purposes only from a vendor page, and all others unknown', () => {
    const count = (purpose: string) => registry.entries.filter((entry) => entry.purpose === purpose).length
    expect([count('search'), count('assistant'), count('training'), count('unknown')]).toEqual([15, 10, 8, 98])
    expect(registry.entry('ccbot')?.purpose).toBe('unknown')
    expect(registry.entry('googlebot')?.purpose).toBe('search')
    expect(registry.entry('bingbot')?.purpose).toBe('search')
  })

  it('keeps the second use that a vendor declares beside the first', () => {
    expect(registry.entry('applebot')).toMatchObject({ purpose: 'search', also_declared: [{ purpose: 'training' }] })
  })

  it('counts every entry except those of scope ads', () => {
    const uncounted = registry.entries.filter((entry) => !registry.counts(entry))
    expect(uncounted.map((entry) => entry.crawler_id)).toEqual(['oai-adsbot', 'meta-externalads'])
    expect(uncounted.map((entry) => entry.scope)).toEqual(['ads', 'ads'])
  })

  it('a registry without entries or signs names no crawler', () => {
    const empty = compileRegistry(makeDocument([]))
    expect(empty.classify('GPTBot/1.0')).toBeNull()
    expect(empty.isAutomated('GPTBot/1.0 (+https://example.com)')).toBe(false)
  })

  it('is compiled from the document that ships', () => {
    expect(registry.entries).toBe(builtInDocument.entries)
  })
})
