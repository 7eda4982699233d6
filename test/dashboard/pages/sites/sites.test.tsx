import { expect, test } from 'vitest'
import { SiteList, SitesPage } from '../../../../dashboard/pages/sites/page.tsx'
import { sourceWords } from '../../../../dashboard/pages/sites/site-row.tsx'
import type { SitesOverview } from '../../../../src/contract/dashboard-api/index.ts'
import { answered, refused, render, SITE, session, textOf } from '../../render.tsx'

const INPUT = { limit: 50, offset: 0 }
const OVERVIEW: SitesOverview = {
  as_of: '2026-11-21T08:14:00Z',
  limit: 50,
  offset: 0,
  returned_count: 1,
  total_count: 1,
  truncated: false,
  sites: [
    {
      id: SITE,
      root_domain: 'example.com',
      role: 'viewer',
      coverage_state: 'unknown',
      data_through: null,
      observed_request_count: null,
      days: [{ date: '2026-11-20', state: 'gap', observed_request_count: null }],
      open_issue_count: 2,
      sources: [],
    },
  ],
}
const page = async (...answers: ReturnType<typeof answered>[]) =>
  textOf(await render(<SitesPage />, { at: '/sites', reads: answers }))

test('without a site, the first one is asked for; people who may not add one see who can', async () => {
  expect(await page(session({ sites: [] }))).toContain('Add your first site')
  expect(await page(session({ sites: [], user: { id: SITE, email: null, account_role: 'member' } }))).toContain(
    'Admins of the account can do this.',
  )
})

test('while it is read, a skeleton; refused, the reason and another try', async () => {
  expect(await page(session())).not.toContain('Showing')
  expect(await page(session(), refused('getSitesOverview', INPUT, 500))).toContain('Try again')
})

test('an unknown number is a word, and neither 0 nor blank', async () => {
  const text = await page(session(), answered('getSitesOverview', INPUT, OVERVIEW))
  expect(text).toContain('unknown')
  expect(text).toContain('No source')
  expect(text).toContain('2 issues')
  expect(text).toContain('Showing all 1')
  expect(text).not.toMatch(/\b0\b/)
})

test('a filter without a matching domain says so, and later pages show their position', async () => {
  const none = { ...OVERVIEW, sites: [], returned_count: 0, total_count: 0 }
  expect(textOf(await render(<SiteList answer={none} q="zzz" />, { at: '/sites' }))).toContain(
    'None of your domains contains “zzz”.',
  )
  const behind = { ...OVERVIEW, sites: [], offset: 50, returned_count: 0, total_count: 2 }
  const no_more = textOf(await render(<SiteList answer={behind} q="exa" />, { at: '/sites?q=exa&offset=50' }))
  expect(no_more).toContain('There are no more sites. Show the first')
  const later = { ...OVERVIEW, offset: 50, returned_count: 1, total_count: 51 }
  const text = textOf(await render(<SiteList answer={later} q={undefined} />, { at: '/sites' }))
  expect(text).toContain('Showing 51 to 51 of 51')
  expect(text).toContain('Previous 50')
})

test('the worst state of the sources is named', () => {
  const source = (connection_status: SitesOverview['sites'][number]['sources'][number]['connection_status']) => ({
    id: SITE,
    source_type: 'https_intake' as const,
    data_through: null,
    connection_status,
  })
  expect(sourceWords({ sources: [source('live'), source('error')] })).toBe('1 of 2 sources failing')
  expect(sourceWords({ sources: [source('live'), source('pending')] })).toBe('1 of 2 sources live')
  expect(sourceWords({ sources: [source('pending')] })).toBe('1 source, waiting for the first record')
})
