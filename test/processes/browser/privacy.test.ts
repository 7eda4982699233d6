/** What the script never does, in real Chromium. */
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openBrowserProfile } from '../../support/browser.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { useVisits } from './visit.ts'
import { atOnce, snippet } from './web-double.ts'

describeInBrowser('privacy', () => {
  const visit = useVisits()

  test('nothing is stored in the browser, on the site or at the collector', async () => {
    visit.shop(['/', '/two'], 'data-outbound data-downloads')
    await visit.go('/')
    await visit.page.click('text=/two')
    await visit.page.waitForFunction(`location.pathname === '/two' && typeof spoor === 'function'`)
    await visit.page.evaluate(`spoor('bought'); spoor('consent', true)`)
    await visit.taken('pageview /', 'pageview /two', 'event /two bought')
    expect(
      await visit.page.evaluate(`(async () => [document.cookie, localStorage.length, sessionStorage.length,
        typeof indexedDB.databases === 'function' ? await indexedDB.databases() : [], window.name])()`),
    ).toEqual(['', 0, 0, [], ''])
    expect((await visit.visitor.storageState({ indexedDB: true })).origins).toEqual([])
    expect(await visit.visitor.cookies()).toEqual([])
  })

  test.each([
    [
      'Global Privacy Control',
      `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
    ],
    ['Do Not Track', `Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })`],
  ])('with %s nothing is sent, and calls are harmless', async (_, setting) => {
    visit.shop(['/'])
    await visit.page.addInitScript(setting)
    await visit.go('/')
    await visit.page.evaluate(`spoor('consent', true); spoor('bought'); spoor.for('spoor_pub_a')('bought')`)
    await visit.page.evaluate(`history.pushState({}, '', '/two')`)
    await visit.leave()
    await visit.taken()
  })

  test('a visitor who begins to refuse on an open page is not followed further', async () => {
    visit.shop(['/'])
    await visit.page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => globalThis.refuses })`,
    )
    await visit.go('/')
    await visit.taken('pageview /')
    await visit.page.evaluate(`globalThis.refuses = true; history.pushState({}, '', '/two'); spoor('bought')`)
    await visit.leave()
    await visit.taken('pageview /')
  })

  test('with required consent nothing is sent before it; then the page counts with the referrer it was entered by', async () => {
    visit.shop(['/'], 'data-consent="required"')
    visit.web.page('chat.example/', '<a href="http://shop.example/">shop</a>')
    await visit.page.goto('http://chat.example/')
    await visit.page.click('a')
    await visit.page.waitForFunction(`typeof spoor === 'function'`)
    await visit.page.evaluate(`spoor('before'); history.pushState({}, '', '/inner')`)
    await visit.page.evaluate(`spoor('consent', true); spoor('consent', true); spoor('after')`)
    await visit.taken('pageview /inner', 'event /inner after')
    expect(visit.web.events()[0]?.referrer).toBe('http://chat.example/')
  })

  test('a visitor who never consents is never sent', async () => {
    visit.shop(['/'], 'data-consent="required"')
    await visit.go('/')
    await visit.page.evaluate(`spoor('bought'); history.pushState({}, '', '/two')`)
    await visit.leave()
    await visit.taken()
  })

  test('consent withdrawn drops what waits', async () => {
    const calls = `spoor('bought'); spoor('consent', false); spoor('unseen')`
    visit.web.page('shop.example/', snippet() + atOnce(calls))
    await visit.go('/')
    await visit.leave()
    await visit.taken()
  })

  test('consent withdrawn while a request is on its way: when it fails, it is not sent again', async () => {
    const answer = Promise.withResolvers<number>()
    visit.shop(['/'])
    visit.web.fates.push(answer.promise)
    const sent = visit.page.waitForRequest((request) => request.method() === 'POST')
    await visit.go('/')
    const request = await sent
    await visit.page.evaluate(`spoor('consent', false)`)
    answer.resolve(503)
    await request.response()
    await visit.page.evaluate('new Promise((done) => setTimeout(done))')
    await visit.leave()
    await visit.taken()
    expect(visit.web.deliveries).toHaveLength(2)
  })

  test('a developer’s machine is not a visitor, unless the snippet says so', async () => {
    const local = `http://localhost:${visit.web.port}`
    visit.web.page('localhost/', snippet())
    visit.web.page('localhost/counted', snippet('spoor_pub_a', 'data-local'))
    visit.web.page('127.0.0.1/', snippet())
    visit.web.page('shop.localhost/', snippet())
    for (const url of [
      `${local}/`,
      `http://127.0.0.1:${visit.web.port}/`,
      'http://shop.localhost/',
      `${local}/counted`,
    ]) {
      await visit.page.goto(url)
    }
    await visit.leave()
    await visit.taken('pageview /counted')
  })

  test('the console says once why nothing is sent', async () => {
    const local = `http://localhost:${visit.web.port}`
    const lines: string[] = []
    visit.page.on('console', (message) => message.type() === 'info' && lines.push(message.text()))
    const said = async (url: string, calls = '') => {
      lines.length = 0
      await visit.page.goto(url)
      await visit.page.evaluate(`window.spoor?.('bought'); window.spoor?.('bought'); ${calls}`)
      return [...lines]
    }
    visit.web.page('localhost/', snippet())
    visit.web.page('shop.example/consent', snippet('spoor_pub_a', 'data-consent="required"'))
    visit.web.page('shop.example/nobody', snippet('', ''))
    visit.web.page('shop.example/inner', snippet())
    visit.web.page('shop.example/outer', '<iframe src="/inner"></iframe>')
    expect(await said(`${local}/`)).toEqual([
      'Spoor: nothing is sent. This is localhost: data-local in the tag counts it.',
    ])
    expect(await said('http://shop.example/consent')).toEqual([
      'Spoor: nothing is sent. It waits for spoor("consent", true).',
    ])
    expect(await said('http://shop.example/nobody')).toEqual(['Spoor: nothing is sent. The tag has no data-site.'])
    expect(await said('http://shop.example/outer')).toEqual([
      'Spoor: nothing is sent. This is a frame: data-iframe in the tag counts it.',
    ])
    await visit.page.addInitScript(`Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })`)
    expect(await said('http://shop.example/inner')).toEqual([
      'Spoor: nothing is sent. This browser asks not to be tracked.',
    ])
  })

  test('the console reports a refusal of the collector once, and nothing for an accepted visit', async () => {
    const lines: string[] = []
    visit.page.on('console', (message) => message.type() === 'info' && lines.push(message.text()))
    visit.shop(['/'])
    await visit.go('/')
    await visit.taken('pageview /')
    expect(lines).toEqual([])
    visit.web.fates.push(403, 403)
    await visit.page.evaluate(`spoor('first')`)
    await vi.waitFor(() => expect(lines).toEqual(['Spoor: refused with 403']), { timeout: 60_000, interval: 50 })
    await visit.page.evaluate(`spoor('second')`)
    await vi.waitFor(() => expect(visit.web.deliveries).toHaveLength(3), { timeout: 60_000, interval: 50 })
    await visit.page.evaluate(`spoor('third')`)
    await visit.taken('pageview /', 'event / third')
    expect(lines).toEqual(['Spoor: refused with 403'])
  })

  test('with the browser’s own Do Not Track setting nothing is sent', async () => {
    const folder = makeTestFolder()
    await mkdir(join(folder, 'Default'), { recursive: true })
    writeFileSync(join(folder, 'Default', 'Preferences'), JSON.stringify({ enable_do_not_track: true }))
    const profile = await openBrowserProfile(folder, { port: visit.web.port })
    try {
      visit.shop(['/'])
      const page = await profile.newPage()
      await page.goto('http://shop.example/')
      expect(await page.evaluate('navigator.doNotTrack')).toBe('1')
      const closed = page.waitForEvent('close')
      await page.close({ runBeforeUnload: true })
      await closed
      await visit.leave()
      await visit.taken()
    } finally {
      await profile.close()
      removeTestFolder(folder)
    }
  })
})
