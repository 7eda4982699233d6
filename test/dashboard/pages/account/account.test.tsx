import { expect, test } from 'vitest'
import { ReplayReport } from '../../../../dashboard/pages/account/replay-report.tsx'
import TokensPage from '../../../../dashboard/pages/account/tokens.tsx'
import { browserWords } from '../../../../dashboard/words/browsers.ts'
import { answered, render, SITE, session, textOf } from '../../render.tsx'

const at = { at: '/settings/tokens' }

test('with five active tokens one has to be revoked first; revoked ones do not count', async () => {
  const token = (index: number, revoked_at: string | null) => ({
    id: `${index}`,
    user_id: SITE,
    email: 'anna@example.org',
    name: `token ${index}`,
    prefix: 'spoor_acct_ab',
    scope: 'read' as const,
    created_at: '2026-11-01T08:00:00Z',
    last_used_at: null,
    revoked_at,
    deprecated_uses:
      index === 0 ? [{ operation: 'listVisibility', requests: 12, last_used_at: '2026-11-20T08:00:00.000Z' }] : [],
  })
  const page = async (active: number) => {
    const tokens = [...Array(active).keys()].map((index) => token(index, null))
    const revoked = token(9, '2026-11-02T08:00:00Z')
    const answers = [session(), answered('token.list', {}, { tokens: [...tokens, revoked] })]
    return textOf(await render(<TokensPage />, { ...at, reads: answers }))
  }
  expect(await page(4)).toContain('Create a token')
  expect(await page(4)).toContain('12 requests to deprecated routes, most recently on 2026-11-20')
  expect(await page(5)).toContain('5 of 5 tokens are active. Revoke one first.')
  expect(await page(5)).not.toContain('Create a token')
})

test('members of the account read who makes tokens', async () => {
  const user = { id: SITE, email: 'bo@example.org', account_role: 'member' as const }
  const text = textOf(await render(<TokensPage />, { ...at, reads: [session({ user })] }))
  expect(text).toContain('Admins of the account can do this.')
})

test('a replay report has before and after for each crawler, and no count for what is not known', async () => {
  const identities = { unknown: 0, ua_identified: 3, provider_verified: 0, network_verified: 7 }
  const history = { requests: 10, purpose: 'training', identities }
  const report = {
    before: '2026-11-18.1',
    after: '2026-11-18.2',
    changes: [
      { crawler_id: 'newbot', before: null, after: history },
      { crawler_id: 'gptbot', before: history, after: { ...history, requests: 12, purpose: 'search' } },
    ],
  }
  const text = textOf(await render(<ReplayReport report={report} />))
  expect(text).toContain('From version 2026-11-18.1 to 2026-11-18.2. 2 crawlers changed')
  expect(text).toContain('newbot not known → then 10')
  expect(text).toContain('gptbot 10 → then 12 Training → Search 7 → then 7')
  expect(textOf(await render(<ReplayReport report={{ ...report, changes: [] }} />))).toContain(
    'No crawler’s history changed.',
  )
})

test('browsers are named as people know them, others as they call themselves', () => {
  expect(browserWords('Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0')).toBe(
    'Firefox on Linux',
  )
  expect(browserWords('Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/140.0 Safari/537.36 Edg/140.0')).toBe(
    'Edge on Windows',
  )
  expect(browserWords('strange\u202e')).toBe('strange␣')
  expect(browserWords(null)).toBe('Unknown browser')
})
