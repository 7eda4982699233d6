import { describe, expect, test } from 'vitest'
import { citedPage, followedPage } from '#brands/engines/citation-url.ts'
import { resolveRedirects } from '#brands/engines/resolve-redirects.ts'
import { inTurn, openEngineDouble } from '../../support/engine-double.ts'

const GROUNDING = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/EXAMPLE'

describe('cited URLs (account API 3)', () => {
  test.each([
    ['https://www.example.com/a?utm_source=openai', 'https://www.example.com/a'],
    ['https://example.com/a?x=1&utm_source=chatgpt.com&y=%20b', 'https://example.com/a?x=1&y=%20b'],
    ['https://example.com/a?utm_source=newsletter', 'https://example.com/a?utm_source=newsletter'],
    ['https://example.com/a?utm_source=%E0%A4%A', 'https://example.com/a?utm_source=%E0%A4%A'],
    ['HTTPS://Zürich.example/ä#top', 'https://xn--zrich-kva.example/%C3%A4#top'],
    ['https://example.com/a#:~:text=some%20words', 'https://example.com/a'],
    ['https://user:word@example.com/', 'https://example.com/'],
    ['https://www.example.com.:8443/a', 'https://www.example.com:8443/a'],
  ])('%s is kept as %s', (cited, kept) => {
    expect(citedPage(cited, null)).toMatchObject({ url: kept, domain: new URL(kept).hostname })
  })

  test.each([
    'javascript:alert(1)',
    'ftp://example.com/a',
    'data:text/html,x',
    'not a url',
    '/relative',
    `https://example.com/${'a'.repeat(5_000)}`,
  ])('%s is not kept', (cited) => {
    expect(citedPage(cited, null)).toBeNull()
  })

  test.each([
    ['example.org', 'example.org'],
    ['Zürich.example', 'xn--zrich-kva.example'],
    ['example.org.', 'example.org'],
    ['Unser Brot', 'vertexaisearch.cloud.google.com'],
    [null, 'vertexaisearch.cloud.google.com'],
  ])('a redirect with the title %j belongs to %s', (title, domain) => {
    expect(citedPage(GROUNDING, title)).toMatchObject({ url: GROUNDING, domain, resolved: 'redirect_opaque' })
  })

  test('a target that is another redirect, or no page, leaves the citation as it is', () => {
    const page = { url: GROUNDING, domain: 'example.org', title: null, resolved: 'redirect_opaque' } as const
    expect(followedPage(page, `${GROUNDING}2`)).toBe(page)
    expect(followedPage(page, 'javascript:1')).toBe(page)
    expect(followedPage(page, 'https://example.org/brot?utm_source=gemini')).toMatchObject({
      url: 'https://example.org/brot',
      domain: 'example.org',
      resolved: 'redirect_followed',
    })
  })
})

describe('redirects of engines', () => {
  const signal = new AbortController().signal
  const page = (url: string, position = 1, title: string | null = null) => ({
    ...(citedPage(url, title) as NonNullable<ReturnType<typeof citedPage>>),
    position,
    span_count: 1,
  })

  test('Google’s are not asked before its terms are accepted', async () => {
    const double = await openEngineDouble(
      inTurn({ status: 302, headers: { location: 'https://example.org/' }, body: {} }),
    )
    const resolve = async () => {
      throw new Error('a name was looked up')
    }
    const [found] = await resolveRedirects({ ...double.outgoing, resolve }, [page(GROUNDING)], {
      accepted_terms: [],
      signal,
    })
    expect(found).toMatchObject({ url: GROUNDING, resolved: 'redirect_opaque' })
  })

  test('one HEAD reads its target, and the cited site is not requested', async () => {
    const location = 'https://example.org/brot?utm_source=copilot.com'
    const double = await openEngineDouble(inTurn({ status: 302, headers: { location }, body: {} }))
    const looked_up: string[] = []
    const outgoing = {
      ...double.outgoing,
      resolve: async (name: string) => (looked_up.push(name) > 0 ? ['127.0.0.1'] : []),
    }
    const wrapped = page(`http://www.bing.com:${new URL(double.url).port}/ck/a?u=x`)
    const [found] = await resolveRedirects(outgoing, [wrapped], { accepted_terms: [], signal })
    expect(found).toMatchObject({
      url: 'https://example.org/brot',
      domain: 'example.org',
      resolved: 'redirect_followed',
    })
    expect(double.requests.map(({ method }) => method)).toEqual(['HEAD'])
    expect(looked_up).toEqual(['www.bing.com'])
  })

  test('a target that is not percent-encoded is UTF-8', async () => {
    const location = Buffer.from('https://example.org/brötli').toString('latin1')
    const double = await openEngineDouble(inTurn({ status: 302, headers: { location }, body: {} }))
    const outgoing = { ...double.outgoing, resolve: async () => ['127.0.0.1'] }
    const wrapped = page(`http://www.bing.com:${new URL(double.url).port}/ck/a?u=x`)
    expect(await resolveRedirects(outgoing, [wrapped], { accepted_terms: [], signal })).toMatchObject([
      { url: 'https://example.org/br%C3%B6tli', resolved: 'redirect_followed' },
    ])
  })

  test('a page that several redirects lead to is cited once', async () => {
    const location = 'https://example.org/brot'
    const double = await openEngineDouble(inTurn({ status: 302, headers: { location }, body: {} }))
    const wrapped = (id: string) => `http://www.bing.com:${new URL(double.url).port}/ck/a?u=${id}`
    const outgoing = { ...double.outgoing, resolve: async () => ['127.0.0.1'] }
    const cited = [page(wrapped('x')), page('https://example.com/a', 2), page(wrapped('y'), 3, 'Brot')]
    expect(await resolveRedirects(outgoing, cited, { accepted_terms: [], signal })).toEqual([
      {
        url: location,
        domain: 'example.org',
        title: 'Brot',
        resolved: 'redirect_followed',
        position: 1,
        span_count: 2,
      },
      page('https://example.com/a', 2),
    ])
  })

  test('one that does not answer is still opaque, and other citations do not change', async () => {
    const double = await openEngineDouble(inTurn({ status: 200, body: {} }))
    const looked_up: string[] = []
    const outgoing = { ...double.outgoing, resolve: async (name: string) => (looked_up.push(name) > 0 ? [] : []) }
    const pages = [page(GROUNDING), page('https://example.com/a', 2), page('https://www.bing.com/ck/a?u=x', 3)]
    expect(await resolveRedirects(outgoing, pages, { accepted_terms: ['google'], signal })).toEqual(pages)
    expect(looked_up).toEqual(['vertexaisearch.cloud.google.com', 'www.bing.com'])
  })
})
