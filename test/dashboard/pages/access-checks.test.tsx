import { expect, test } from 'vitest'
import type { AccessCheck } from '#contract/site-api/index.ts'
import { CheckResult } from '../../../dashboard/pages/access-checks/result.tsx'
import { basics, SITE } from '../support/answers.ts'
import { renderBlock, renderPage } from '../support/render.ts'

const decision = { group: 'gptbot', deviation: null }
const check: AccessCheck = {
  checked_at: '2026-11-21T08:14:00.000Z',
  scope: 'current_state_only',
  agent: 'Spoor/1',
  url: 'https://example.com/a',
  normalized_url: 'https://example.com/a',
  dns: { state: 'resolved', code: null, addresses: ['192.0.2.1'] },
  tls: {
    state: 'valid',
    code: null,
    protocol: 'TLSv1.3',
    issuer: 'CA',
    expires_at: '2027-01-21T00:00:00.000Z',
    names_match: true,
  },
  robots: {
    url: 'https://example.com/robots.txt',
    fetched_status: 200,
    fetched_at: '2026-11-21T08:14:00.000Z',
    sha256: null,
    size_bytes: 40,
    truncated: false,
    per_crawler: [
      { crawler_id: 'gptbot', token: 'GPTBot', decision: 'disallowed', rule: 'Disallow: /a', line: 12, ...decision },
      { crawler_id: 'claudebot', token: 'ClaudeBot', decision: 'unknown', rule: null, line: null, ...decision },
    ],
  },
  http: {
    state: 'answered',
    final_status: 403,
    content_type: 'text/html',
    body_bytes: 1_204,
    body_truncated: false,
    hops: [{ url: 'https://example.com/a', status: 403, location: null, ms: 41 }],
  },
  page_directives: {
    meta_robots: ['noindex'],
    x_robots_tag: [{ agent: 'gptbot', directives: ['noai'] }],
    content_signal: null,
    content_usage: null,
    llms_txt: 'absent',
  },
  challenge: { state: 'detected', vendor: 'cloudflare', signals: ['cf-mitigated: challenge'] },
  organic: [{ crawler_id: 'gptbot', last_observed_at: '2026-11-20T02:11:00.000Z', last_status: 403 }],
  limitations: ['asked_as_spoor_only', 'a_new_code'],
}

test('names the deciding line, the answers and the last observed request', async () => {
  const { text } = await renderBlock(<CheckResult check={check} />)
  expect(text).toContain('1 disallowed · 1 unknown')
  expect(text).toContain('gptbot Disallowed 12: Disallow: /a for gptbot 20 Nov 02:11, 403')
  expect(text).toContain('claudebot Unknown no rule applies')
  expect(text).toContain('TLS valid, TLSv1.3, expires 21 Jan 2027')
  expect(text).toContain('403, text/html, 1,204 bytes')
  expect(text).toContain('Challenge detected, cloudflare')
  expect(text).toContain('X-Robots-Tag gptbot: noai')
  expect(text).toContain('other user agents may get other responses. a_new_code')
})

test('says for every step that was not reached that it is unknown', async () => {
  const nothing = { tls: null, robots: null, http: null, page_directives: null, challenge: null, organic: null }
  const dns: AccessCheck['dns'] = { state: 'failed', code: 'ENOTFOUND', addresses: [] }
  const { text } = await renderBlock(<CheckResult check={{ ...check, ...nothing, dns, limitations: [] }} />)
  expect(text).toContain('robots.txt was not reached, so what it allows is unknown.')
  expect(text).toContain('failed: ENOTFOUND')
  expect(text).toContain('The page was not reached.')
  expect(text).toContain('The page was not read, so its directives are unknown.')
})

test('fills in the address, and makes no request before a person starts it', async () => {
  const { html, text, asked } = await renderPage(`/sites/${SITE}/access-checks?url=https://example.com/x`, basics())
  expect(html).toContain('value="https://example.com/x"')
  expect(text).toContain('Requested by this service, so a verified crawler may get another response.')
  expect(asked.filter((path) => path.startsWith('runAccessCheck'))).toEqual([])
})
