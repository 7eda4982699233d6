/** What counts as a page, on real pages in real Chromium. */
import { expect, test } from 'vitest'
import { CLICK_IDS } from '#tracker/collection/read-page.ts'
import { startUnsteered } from '../../support/browser.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { useVisits } from './visit.ts'
import { snippet } from './web-double.ts'

const STUB = 'window.spoor=window.spoor||function(){(spoor.q=spoor.q||[]).push(arguments)}'

describeInBrowser('navigation', () => {
  const visit = useVisits()

  test('each page is a pageview, the back button too; the referrer is where the visitor came from', async () => {
    visit.shop(['/', '/product'])
    visit.web.page(
      'chat.example/',
      '<a href="http://shop.example/?utm_source=chat&session=private&gclid=g1#part">shop</a>',
    )
    await visit.page.goto('http://chat.example/')
    await visit.page.click('a')
    await visit.taken('pageview /')
    await visit.page.click('text=/product')
    await visit.taken('pageview /', 'pageview /product')
    await visit.page.goBack()
    await visit.taken('pageview /', 'pageview /product', 'pageview /')
    const [entry, second] = visit.web.events()
    expect(entry).toEqual({
      v: 1,
      site: 'spoor_pub_a',
      type: 'pageview',
      url: 'http://shop.example/?utm_source=chat&gclid=g1',
      referrer: 'http://chat.example/',
      id: expect.stringMatching(/^[\w-]{8,64}$/),
    })
    expect(second?.referrer).toMatch('http://shop.example/')
    expect(new Set(visit.web.events().map(({ id }) => id)).size).toBe(3)
  })

  test('of a query string only what the collector reads is sent', async () => {
    visit.shop(['/'])
    const read = [...CLICK_IDS, 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content']
    const query = [...read, 'email', 'token', 'cid', 'id', 'q'].map((key) => `${key}=1`)
    await visit.go(`/?${query.join('&')}`)
    await visit.taken('pageview /')
    const [{ url }] = visit.web.events() as [(typeof visit.web.deliveries)[0]['events'][0]]
    expect([...new URL(url).searchParams.keys()]).toEqual(read)
  })

  test('in a page that changes its address itself, another path is another page; query and hash are not', async () => {
    visit.shop(['/app'])
    await visit.go('/app')
    for (const step of [
      `history.pushState({}, '', '/app/list')`,
      `history.pushState({}, '', '/app/list?page=2')`,
      `history.replaceState({}, '', '/app/list')`,
      `location.hash = 'below'`,
      `history.replaceState({}, '', '/app/item')`,
      `new Promise((done) => { addEventListener('popstate', done, { once: true }); history.go(-3) })`,
    ]) {
      await visit.page.evaluate(step)
    }
    await visit.taken('pageview /app', 'pageview /app/list', 'pageview /app/item', 'pageview /app')
    expect(visit.web.events().map(({ referrer }) => referrer)).toEqual([
      undefined,
      'http://shop.example',
      'http://shop.example',
      'http://shop.example',
    ])
  })

  test('a page whose router uses the Navigation API is counted like others', async () => {
    visit.shop(['/app', '/app/list', '/app/item'])
    await visit.go('/app')
    await visit.page.evaluate(`navigation.addEventListener('navigate', (event) => event.intercept())`)
    await visit.page.click('a[href="/app/list"]')
    await visit.page.evaluate(`navigation.navigate('/app/item', { history: 'replace' }).finished.then(() => {})`)
    await visit.page.evaluate(`navigation.navigate('?page=2').finished.then(() => {})`)
    await visit.page.evaluate(`navigation.traverseTo(navigation.entries()[0].key).finished.then(() => {})`)
    await visit.leave()
    await visit.taken('pageview /app', 'pageview /app/list', 'pageview /app/item', 'pageview /app')
  })

  test('the page sees its own history calls as without the script', async () => {
    visit.shop(['/app'])
    await visit.go('/app')
    expect(
      await visit.page.evaluate(`[history.pushState({ a: 1 }, '', '/x'), history.state.a, location.pathname,
        (() => { try { history.pushState({}, '', 'http://other.example/') } catch (error) { return error.name } })()]`),
    ).toEqual([undefined, 1, '/x', 'SecurityError'])
  })

  test('a pageview may be sent by hand, as routers of the hash need it', async () => {
    visit.shop(['/app'])
    await visit.go('/app')
    await visit.page.evaluate(`location.hash = '#/cart'; spoor('pageview')`)
    await visit.taken('pageview /app', 'pageview /app')
  })

  test('a page in a frame is not a pageview unless its snippet says so', async () => {
    visit.web.page('shop.example/inner', snippet())
    visit.web.page('shop.example/counted', snippet('spoor_pub_a', 'data-iframe'))
    visit.web.page('shop.example/outer', '<iframe src="/inner"></iframe><iframe src="/counted"></iframe>')
    await visit.go('/outer')
    await visit.leave()
    await visit.taken('pageview /counted')
  })

  test('a prerendered page counts when it is shown, with events reported before', async () => {
    const { web } = visit
    // The page is shown only after a prerendered one had longer than events are gathered.
    const prerendered = `if (document.prerendering) { spoor('seen'); setTimeout(() => fetch('/prerendered'), 1500) }`
    web.page('shop.example/next', `${snippet()}<script>${STUB}</script><script>${prerendered}</script>`)
    web.page('shop.example/shown', '', { after: web.asked('shop.example/prerendered') })
    const rules = '{"prerender":[{"urls":["/next"],"eagerness":"immediate"}]}'
    const show = `fetch('/shown').then(() => { location.href = '/next' })`
    web.page('shop.example/', `<script type="speculationrules">${rules}</script><script>${show}</script>`)
    const folder = makeTestFolder()
    const stop = await startUnsteered(folder, 'http://shop.example/', { port: web.port })
    try {
      await visit.taken('pageview /next', 'event /next seen')
      expect(web.deliveries.map(({ headers }) => headers['sec-purpose'])).toEqual([undefined])
    } finally {
      await stop()
      removeTestFolder(folder)
    }
  })
})

describeInBrowser('the back/forward cache', () => {
  const visit = useVisits({ back_forward_cache: true })

  test('a page restored from the cache counts again', async () => {
    visit.shop(['/one', '/two'])
    await visit.go('/one')
    await visit.page.evaluate(`addEventListener('pageshow', (shown) => { window.kept = shown.persisted })`)
    await visit.taken('pageview /one')
    await visit.page.click('text=/two')
    await visit.taken('pageview /one', 'pageview /two')
    await visit.page.evaluate('history.back()')
    await visit.taken('pageview /one', 'pageview /two', 'pageview /one')
    expect(await visit.page.evaluate('window.kept')).toBe(true)
  })
})
