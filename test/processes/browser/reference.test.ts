/** The API reference on a narrow phone, in real Chromium. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../../support/browser.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { type Service, startService } from '../../surfaces/http/service.ts'

/** Opens everything, and says how wide the page is and what of it lies outside; examples scroll by themselves. */
const MEASURE = `(() => {
  for (const details of document.querySelectorAll('details')) details.open = true
  const outside = [...document.querySelectorAll('main *')].filter(
    (element) => element.closest('pre') === null && element.getBoundingClientRect().right > 320.5,
  )
  return { page: document.documentElement.scrollWidth, outside: outside.slice(0, 5).map((element) => element.outerHTML) }
})()`

describeInBrowser('/docs on a phone', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await openBrowser({ port: service.port })
  })
  afterAll(async () => {
    await browser?.close()
    await service.app.close()
  })

  test('fits 320 pixels, with everything folded open', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 640 } })
    await page.goto('http://spoor.example/docs')
    const widths = await page.evaluate(MEASURE)
    expect(widths).toEqual({ page: 320, outside: [] })
  })
})
