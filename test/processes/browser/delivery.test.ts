/** How what was gathered reaches the collector, or does not, from real Chromium. */
import { expect, test, vi } from 'vitest'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { reported, useVisits } from './visit.ts'
import { atOnce, snippet } from './web-double.ts'

const ids = (events: { id: string }[]) => events.map(({ id }) => id)

describeInBrowser('delivery', () => {
  const visit = useVisits()
  const arrivals = (count: number) =>
    vi.waitFor(() => expect(visit.web.deliveries).toHaveLength(count), { timeout: 60_000, interval: 20 })

  test('events, revenue and calls of the time before the script', async () => {
    visit.web.page(
      'shop.example/',
      `<script>window.spoor=window.spoor||function(){(spoor.q=spoor.q||[]).push(arguments)}
        spoor('early', { plan: 'free' })</script>${snippet()}`,
    )
    await visit.go('/')
    await visit.page.evaluate(`
      spoor('signup', { plan: 'pro', seats: 3, yearly: true })
      spoor('event', 'search')
      spoor('event', 'search', { found: 2 })
      spoor('revenue', { amount_minor: 1999, currency: 'EUR', order_id: 'A-1' })`)
    await visit.taken('pageview /', 'event / early', 'event / signup', 'event / search', 'event / search', 'revenue /')
    const [, early, signup, plain, search, revenue] = visit.web.events()
    expect([early?.props, signup?.props, plain?.props, search?.props]).toEqual([
      { plan: 'free' },
      { plan: 'pro', seats: 3, yearly: true },
      undefined,
      { found: 2 },
    ])
    expect(revenue?.revenue).toEqual({ amount_minor: 1999, currency: 'EUR', order_id: 'A-1' })
  })

  test('a request needs no preflight, and is sent to the origin of the script', async () => {
    visit.shop(['/'])
    await visit.go('/')
    await visit.taken('pageview /')
    const [{ host, path, headers }] = visit.web.deliveries as [(typeof visit.web.deliveries)[0]]
    expect([host, path]).toEqual(['stats.example', '/collect'])
    expect(headers['content-type']).toBe('text/plain;charset=UTF-8')
    expect(headers.origin).toBe('http://shop.example')
  })

  test('a request carries no cookie, not even to the site itself', async () => {
    visit.shop(['/'], 'data-api="/collect"')
    await visit.visitor.addCookies([{ name: 'own', value: '1', url: 'http://shop.example' }])
    await visit.go('/')
    await visit.taken('pageview /')
    expect(visit.web.deliveries.map(({ host, headers }) => [host, headers.cookie])).toEqual([
      ['shop.example', undefined],
    ])
  })

  test('the script proxied under a path of the site posts to the same folder, or to the URL in data-api', async () => {
    visit.web.page('shop.example/beside', '<script defer src="/data/spoor.js" data-site="spoor_pub_a"></script>')
    visit.web.page('shop.example/named', snippet('spoor_pub_a', 'data-api="/elsewhere/collect"'))
    await visit.go('/beside')
    await visit.go('/named')
    await visit.taken('pageview /beside', 'pageview /named')
    expect(new Set(visit.web.deliveries.map(({ host, path }) => host + path))).toEqual(
      new Set(['shop.example/data/collect', 'shop.example/elsewhere/collect']),
    )
  })

  test('gathered events are sent together, at most 20 per request, in order', async () => {
    visit.web.page('shop.example/', snippet() + atOnce(`for (let n = 1; n <= 44; n++) spoor('n' + n)`))
    await visit.go('/')
    await visit.taken('pageview /', ...Array.from({ length: 44 }, (_, n) => `event / n${n + 1}`))
    expect(visit.web.deliveries.map(({ events }) => events.length)).toEqual([20, 20, 5])
  })

  test('closing the tab sends what waits', async () => {
    visit.shop(['/'])
    await visit.go('/')
    await visit.page.evaluate(`for (let n = 1; n <= 30; n++) spoor('n' + n)`)
    await visit.leave()
    expect(reported(visit.web.events()).sort()).toEqual(
      ['pageview /', ...Array.from({ length: 30 }, (_, n) => `event / n${n + 1}`)].sort(),
    )
  })

  test('following a link at once sends what waits', async () => {
    visit.shop(['/', '/two'])
    await visit.go('/')
    await visit.page.evaluate(`spoor('bought'); location.href = '/two'`)
    await visit.taken('pageview /', 'event / bought', 'pageview /two')
  })

  test.each<[string, number | 'cut']>([
    ['a cut connection', 'cut'],
    ['503', 503],
    ['429', 429],
  ])('after %s the same events are sent again with the same ids, before newer ones', async (_, fate) => {
    visit.shop(['/'])
    visit.web.fates.push(fate, fate)
    await visit.go('/')
    await arrivals(1)
    await visit.page.evaluate(`spoor('later')`)
    await visit.taken('pageview /', 'event / later')
    const [first, second, third] = visit.web.deliveries.map(({ events }) => ids(events))
    expect(second?.slice(0, 1)).toEqual(first)
    expect(third?.slice(0, 1)).toEqual(first)
    expect(new Set(ids(visit.web.events())).size).toBe(2)
  })

  test.each([401, 422])('events refused with %i are not sent again', async (fate) => {
    visit.shop(['/'])
    visit.web.fates.push(fate)
    await visit.go('/')
    await arrivals(1)
    await visit.page.evaluate(`spoor('later')`)
    await visit.taken('event / later')
    await visit.leave()
    const sent = visit.web.deliveries.flatMap(({ events }) => reported(events))
    expect(sent.filter((event) => event === 'pageview /')).toHaveLength(1)
  })

  test('a page that is left during an answer does not send accepted events again', async () => {
    const rest = Promise.withResolvers<void>()
    visit.shop(['/', '/two'])
    visit.web.fates.push({ status: 202, rest: rest.promise })
    const answered = visit.page.waitForResponse((response) => response.request().method() === 'POST')
    await visit.go('/')
    await answered
    await visit.go('/two')
    await visit.taken('pageview /', 'pageview /two')
    rest.resolve()
    expect(visit.web.deliveries.map(({ events }) => reported(events))).toEqual([['pageview /'], ['pageview /two']])
  })

  test('a page that is left before the answer sends the same ids again, which count once', async () => {
    const answer = Promise.withResolvers<number>()
    visit.shop(['/', '/two'])
    visit.web.fates.push(answer.promise)
    await visit.go('/')
    await arrivals(1)
    await visit.go('/two')
    await visit.taken('pageview /', 'pageview /two')
    answer.resolve(202)
    const [first, second] = visit.web.deliveries
    expect(ids(second?.events ?? [])).toEqual(ids(first?.events ?? []))
    await visit.taken('pageview /', 'pageview /two')
  })

  test('the next request waits for the answer to the one before', async () => {
    const answer = Promise.withResolvers<number>()
    visit.shop(['/'])
    visit.web.fates.push(answer.promise)
    await visit.go('/')
    await arrivals(1)
    // Longer than events are gathered.
    await visit.page.evaluate(`spoor('later'); new Promise((done) => setTimeout(done, 1500))`)
    expect(visit.web.deliveries).toHaveLength(1)
    answer.resolve(503)
    await visit.taken('pageview /', 'event / later')
  })

  test('without a network a bounded number of events wait, and the page works', async () => {
    visit.shop(['/'])
    const answered = visit.page.waitForEvent('requestfinished', (request) => request.method() === 'POST')
    await visit.go('/')
    await answered
    await visit.visitor.setOffline(true)
    await visit.page.evaluate(`for (let n = 1; n <= 150; n++) spoor('n' + n)`)
    await visit.page.waitForEvent('requestfailed')
    await visit.visitor.setOffline(false)
    await vi.waitFor(() => expect(reported(visit.web.events())).toContain('event / n100'), {
      timeout: 60_000,
      interval: 50,
    })
    await visit.page.evaluate(`spoor('end')`)
    await visit.taken('pageview /', ...Array.from({ length: 100 }, (_, n) => `event / n${n + 1}`), 'event / end')
  })

  test('when the network is back nothing waits for the end of a pause', async () => {
    visit.shop(['/'])
    await visit.page.clock.install({ time: 0 })
    await visit.page.clock.pauseAt(1000)
    await visit.go('/')
    await visit.visitor.setOffline(true)
    const failed = visit.page.waitForEvent('requestfailed')
    await visit.page.clock.runFor(1000)
    await failed
    expect(visit.web.deliveries).toEqual([])
    await visit.visitor.setOffline(false)
    await visit.taken('pageview /')
  })

  test('a blocked collector does not affect the page', async () => {
    visit.web.page('shop.example/', '<script defer src="http://stats.example:1/spoor.js"></script><p>here</p>')
    await visit.go('/')
    expect(await visit.page.textContent('p')).toBe('here')
    visit.web.page('shop.example/', snippet('spoor_pub_a', 'data-api="http://stats.example:1/collect"'))
    const failed = visit.page.waitForEvent('requestfailed')
    await visit.go('/')
    await failed
    expect(await visit.page.evaluate(`spoor('after')`)).toBeUndefined()
  })

  test('a browser without keepalive requests uses beacons', async () => {
    visit.shop(['/', '/two'])
    await visit.visitor.addInitScript(`delete Request.prototype.keepalive; window.fetch = undefined`)
    await visit.go('/')
    await visit.go('/two')
    await visit.leave()
    await visit.taken('pageview /', 'pageview /two')
    expect(visit.web.deliveries[0]?.headers['content-type']).toBe('text/plain;charset=UTF-8')
  })

  test('an event that is too long is left out, the others are not', async () => {
    visit.shop(['/'])
    await visit.go('/')
    await visit.page.evaluate(
      `spoor('long', { text: 'x'.repeat(3000) }); spoor('wide', { text: 'ü'.repeat(1500) }); spoor('short')`,
    )
    await visit.taken('pageview /', 'event / short')
  })

  test('full requests fit, one after another', async () => {
    const calls = `for (let n = 1; n <= 79; n++) spoor('n' + n, { text: '\\u00fc'.repeat(1400) })`
    visit.web.page('shop.example/', snippet() + atOnce(calls))
    await visit.go('/')
    await visit.taken('pageview /', ...Array.from({ length: 79 }, (_, n) => `event / n${n + 1}`))
    expect(visit.web.deliveries.map(({ events }) => events.length)).toEqual([20, 20, 20, 20])
  })
})
