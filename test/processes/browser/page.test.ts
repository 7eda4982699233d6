/** The script beside other things on a page, in real Chromium. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { reported, useVisits } from './visit.ts'
import { atOnce, COLLECTOR, snippet } from './web-double.ts'

test('the script has less than 2 KiB as it travels', () => {
  expect(gzipSync(readFileSync('tracker/dist/spoor.js'), { level: 9 }).length).toBeLessThan(2048)
})

describeInBrowser('pages', () => {
  const visit = useVisits()

  test('two sites on one page: each has its own events; a call goes to both, or to one', async () => {
    const early = `<script>window.spoor=window.spoor||function(){(spoor.q=spoor.q||[]).push(arguments)};spoor('early')</script>`
    const calls = `spoor('both')
      spoor.for('spoor_pub_b')('one', { plan: 'pro' })
      spoor.for('spoor_pub_none')('nobody')
      spoor.for('spoor_pub_a')('consent', false)
      history.pushState({}, '', '/two')`
    visit.web.page('shop.example/', early + snippet('spoor_pub_a') + snippet('spoor_pub_b') + atOnce(calls))
    await visit.go('/')
    await visit.leave()
    expect(reported(visit.web.events('spoor_pub_a'))).toEqual([])
    expect(reported(visit.web.events('spoor_pub_b'))).toEqual([
      'pageview /',
      'event / early',
      'event / both',
      'event / one',
      'pageview /two',
    ])
  })

  test('the same snippet twice counts once', async () => {
    visit.web.page('shop.example/', snippet() + snippet())
    await visit.go('/')
    await visit.leave()
    await visit.taken('pageview /')
  })

  test('a strict content security policy needs only the collector in script-src and connect-src', async () => {
    const policy = `default-src 'none'; script-src ${COLLECTOR}; connect-src ${COLLECTOR}; require-trusted-types-for 'script'`
    visit.web.page('shop.example/', snippet('spoor_pub_a', 'data-outbound'), {
      headers: { 'content-security-policy': policy },
    })
    const violations: string[] = []
    visit.page.on('console', (message) => violations.push(message.text()))
    await visit.go('/')
    await visit.taken('pageview /')
    expect(violations.filter((text) => /Content Security Policy/.test(text))).toEqual([])
  })

  test('outbound links and downloads count when the snippet asks for them', async () => {
    const links = `<a id="out" href="http://other.example/x"><b>other</b></a> <a id="in" href="/two">two</a>
      <a id="file" href="/manual.PDF">manual</a> <a id="named" href="/two" download>save</a>
      <a id="far" onclick="event.stopPropagation(); return false" href="http://other.example/app.zip">app</a> <a id="mail" href="mailto:a@b.example">mail</a>`
    const still = `<script>addEventListener('click', (click) => click.preventDefault())</script>`
    const click = async (path: string) => {
      await visit.go(path)
      for (const id of ['out b', 'in', 'file', 'named', 'far', 'mail']) await visit.page.click(`#${id}`)
      await visit.page.click('#out', { button: 'right' })
      await visit.page.click('#in', { button: 'middle' })
      await visit.page.goto('about:blank')
    }
    visit.web.page('shop.example/all', snippet('spoor_pub_a', 'data-outbound data-downloads') + links + still)
    visit.web.page('shop.example/out', snippet('spoor_pub_a', 'data-outbound') + links + still)
    visit.web.page('shop.example/none', snippet() + links + still)
    await click('/all')
    const downloads = ['file_download', 'file_download', 'file_download']
    const all = ['pageview /all', ...['outbound_link', ...downloads].map((name) => `event /all ${name}`)]
    await visit.taken(...all)
    expect(visit.web.events().every(({ props }) => props === undefined)).toBe(true)
    expect(visit.web.events().map(({ target }) => target)).toEqual([
      ...[undefined, 'http://other.example', 'http://shop.example/manual.PDF'],
      ...['http://shop.example/two', 'http://other.example/app.zip'],
    ])
    await click('/out')
    const out = ['pageview /out', 'event /out outbound_link', 'event /out outbound_link']
    await visit.taken(...all, ...out)
    await click('/none')
    await visit.taken(...all, ...out, 'pageview /none')
  })

  test('a link inside a web component counts, and so does one around it', async () => {
    const component = (name: string, html: string) => `customElements.define('${name}', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '${html}' } })`
    visit.web.page(
      'shop.example/',
      `${snippet('spoor_pub_a', 'data-outbound')}
        <script>${component('a-link', '<a href="http://inner.example/"><b>inner</b></a>')}</script>
        <script>${component('an-icon', '<b>icon</b>')}; addEventListener('click', (click) => click.preventDefault())</script>
        <a-link></a-link> <a href="http://outer.example/"><an-icon></an-icon></a>`,
    )
    await visit.go('/')
    await visit.page.click('a-link b')
    await visit.page.click('an-icon b')
    await visit.taken('pageview /', 'event / outbound_link', 'event / outbound_link')
    expect(visit.web.events().map(({ target }) => target)).toEqual([
      ...[undefined, 'http://inner.example', 'http://outer.example'],
    ])
  })

  test('links inside SVG pictures count, with either of their attributes', async () => {
    const picture = (link: string) => `<svg width="40" height="40"><a ${link}><rect width="40" height="40"/></a></svg>`
    visit.web.page(
      'shop.example/',
      `${snippet('spoor_pub_a', 'data-outbound data-downloads')}
        <script>addEventListener('click', (click) => click.preventDefault())</script>
        ${picture('id="new" href="http://new.example/x"')} ${picture('id="old" xlink:href="http://old.example/x"')}
        ${picture('id="in" href="/two"')} ${picture('id="file" href="manual.pdf"')}`,
    )
    await visit.go('/')
    for (const id of ['new', 'old', 'in', 'file']) await visit.page.click(`#${id} rect`)
    await visit.taken('pageview /', 'event / outbound_link', 'event / outbound_link', 'event / file_download')
    expect(visit.web.events().map(({ target }) => target)).toEqual([
      ...[undefined, 'http://new.example', 'http://old.example', 'http://shop.example/manual.pdf'],
    ])
  })

  test('an outbound link is counted although the page is left', async () => {
    visit.web.page(
      'shop.example/',
      `${snippet('spoor_pub_a', 'data-outbound')}<a href="http://other.example/">other</a>`,
    )
    visit.web.page('other.example/', 'other')
    await visit.go('/')
    await visit.page.click('a')
    await visit.taken('pageview /', 'event / outbound_link')
  })

  test('whatever a page passes in, no error reaches it', async () => {
    visit.web.page('shop.example/', `<form id="spoor"></form>${snippet()}`)
    await visit.go('/')
    await visit.page.evaluate(`
      const ring = {}; ring.ring = ring
      for (const odd of [undefined, null, 1, 1n, ring, () => {}, Symbol('x'), document]) { spoor(odd, odd, odd); spoor('event', odd); spoor('revenue', odd) }
      document.dispatchEvent(new MouseEvent('click'))
      spoor('fine')`)
    await visit.leave()
    expect(reported(visit.web.events())).toContain('event / fine')
  })
})
