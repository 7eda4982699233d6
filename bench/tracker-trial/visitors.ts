/** The visitors of the shop, and what every answer must report about them afterwards. */
import type { Page } from 'playwright-core'

interface Visitor {
  /** Null: the browser's own user agent, which identifies it as headless. */
  user_agent: string | null
  setting?: string
  walk(page: Page): Promise<void>
}

const agent = (system: string, version: number) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`

/** Follows a link, and waits until the page has loaded. */
async function follow(page: Page, href: string): Promise<void> {
  await page.click(`a[href="${href}"]`)
  await page.waitForURL((url) => href === url.pathname || href === url.href)
  await page.waitForLoadState('load')
}

export const VISITORS: Record<string, Visitor> = {
  'from ChatGPT, buys': {
    user_agent: agent('Macintosh; Intel Mac OS X 10_15_7', 154),
    async walk(page) {
      await page.goto('https://chatgpt.com/')
      await follow(page, 'http://www.example.com/?utm_source=chatgpt.com')
      for (const href of ['/shoes', '/cart', '/thanks']) await follow(page, href)
    },
  },
  'from Perplexity, looks': {
    user_agent: agent('Windows NT 10.0; Win64; x64', 153),
    async walk(page) {
      await page.goto('https://perplexity.ai/')
      await follow(page, 'http://www.example.com/shoes')
      await follow(page, '/')
    },
  },
  'from a newsletter, signs up': {
    user_agent: agent('X11; Linux x86_64', 152),
    async walk(page) {
      await page.goto('http://www.example.com/?utm_source=news&utm_medium=email&utm_campaign=autumn&token=private')
      await follow(page, '/shoes')
      await page.click('button')
      await follow(page, '/cart')
    },
  },
  'asked, consents': {
    user_agent: agent('X11; Linux x86_64', 151),
    async walk(page) {
      await page.goto('http://ask.example.com/')
      await page.click('button')
    },
  },
  'asked, does not consent': {
    user_agent: agent('X11; Linux x86_64', 150),
    walk: async (page) => void (await page.goto('http://ask.example.com/')),
  },
  'with Global Privacy Control': {
    user_agent: agent('X11; Linux x86_64', 149),
    setting: `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
    walk: async (page) => void (await page.goto('http://www.example.com/')),
  },
  'a headless browser': {
    user_agent: null,
    walk: async (page) => void (await page.goto('http://www.example.com/')),
  },
}

/**
 * What the shop's server reports: a purchase that the browser reported too, one that no browser reported, and a
 * refund.
 */
export const FROM_SERVER = [
  { v: 1, type: 'revenue', id: 'order-A-1', revenue: { amount_minor: 4999, currency: 'EUR', order_id: 'A-1' } },
  { v: 1, type: 'revenue', id: 'order-A-2', revenue: { amount_minor: 2500, currency: 'EUR', order_id: 'A-2' } },
  {
    v: 1,
    type: 'revenue',
    id: 'refund-A-1',
    revenue: { amount_minor: 500, currency: 'EUR', order_id: 'A-1', kind: 'refund' },
  },
]

/** The visits, counted by hand, by operation; only these fields of the answers are compared. */
export const WALKED = {
  overview: {
    metrics: { visitor_days: 4, sessions: 4, pageviews: 10, conversions: 2 },
    excluded: { bots: 1, refused: 0 },
  },
  'analytics-sources': {
    acquisition: { ai_assistant: [2, 6], email: [1, 3], direct: [1, 1] },
    ai_referral: ['chatgpt both 1', 'perplexity referrer 1'],
    utm: { source: [2, ['chatgpt.com 1', 'news 1']], medium: [1, ['email 1']], campaign: [1, ['autumn 1']] },
  },
  pages: [
    'www.example.com/ 3 sessions 3, entries 2, exits 1, conversions 0',
    'www.example.com/shoes 3 sessions 3, entries 1, exits 0, conversions 1',
    'www.example.com/cart 2 sessions 2, entries 0, exits 1, conversions 0',
    'ask.example.com/ 1 sessions 1, entries 1, exits 1, conversions 0',
    'www.example.com/thanks 1 sessions 1, entries 0, exits 1, conversions 1',
  ],
  conversions: ['Bought 1 of 4, 1 events', 'Signed up 1 of 4, 1 events'],
  funnels: ['Look to buy: 3 entered, 1 completed'],
  funnel: [3, 2, 1],
  // No session of these visits has ended yet.
  journeys: ['grouped 0'],
  revenue: {
    reported: ['EUR browser: 1 sold 4999, 0 refunded 0', 'EUR server: 2 sold 7499, 1 refunded 500'],
    classes: ['matched 1', 'server_only 1'],
  },
} as const
