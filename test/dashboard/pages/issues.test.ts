import { describe, expect, test } from 'vitest'
import { evidenceCsv } from '../../../dashboard/pages/issue/evidence.tsx'
import { isBeingVerified } from '../../../dashboard/pages/issue/page.tsx'
import { basics, coverage, ISSUE, issue, issueList, nothing, page, SITE, shownIssue } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'

const ADDRESS = `/sites/${SITE}/issues`

describe('the list of issues', () => {
  test('shows each with its state, cause, confidence and day, and counts the states', async () => {
    const { text } = await renderPage(ADDRESS, basics())
    expect(text).toContain('Current 1 Open 1 Came back 0 Fix detected 0')
    expect(text).toContain('GPTBot got 403 on 9 of 9 observed requests')
    expect(text).toContain('Open WAF or challenge High confidence detected 20 Nov 02:11 UTC')
    expect(text).toContain('Showing all 1')
  })

  test('says which days an empty list covers, and never that all is well', async () => {
    const none = issueList({ issues: [], total_count: 0, returned_count: 0 })
    const { text } = await renderPage(ADDRESS, { ...basics(), listIssues: none })
    expect(text).toContain('No harm was observed. That covers 1 of 3 days; the other days are unknown.')
    const full = { ...coverage(), days: coverage().days.map((day) => ({ ...day, state: 'complete' as const })) }
    const covered = await renderPage(ADDRESS, { ...basics(), listIssues: none, getCoverage: full })
    expect(covered.text).toContain('That covers 3 of 3 days.')
  })

  test('an empty list says that its coverage could not be read', async () => {
    const none = issueList({ issues: [], total_count: 0, returned_count: 0 })
    const failed = { status: 500, body: { code: 'internal_error', title: 'Internal error' } }
    const { text } = await renderPage(ADDRESS, { ...basics(), listIssues: none, getCoverage: failed })
    expect(text).toContain('No harm was observed. How much of this window was watched is unknown')
    expect(text).toContain('How complete the evidence is could not be read.')
  })

  test('reports harm as unknown if no source covered the window', async () => {
    const none = issueList({ issues: [], total_count: 0, returned_count: 0 })
    const { text } = await renderPage(ADDRESS, { ...basics(), listIssues: none, getCoverage: nothing.coverage() })
    expect(text).toContain('No source covered this window, so whether crawlers are harmed is unknown.')
  })

  test('lists more on request, fifty at a time', async () => {
    const many = issueList({ total_count: 60, truncated: true, returned_count: 8 })
    const first = await renderPage(ADDRESS, { ...basics(), listIssues: many })
    expect(first.text).toContain('Showing 1 to 8 of 60 Show more')
    const second = await renderPage(`${ADDRESS}?limit=50&offset=50`, {
      ...basics(),
      listIssues: issueList({ total_count: 60, offset: 50, limit: 50, returned_count: 10 }),
    })
    expect(second.asked).toContain(`listIssues?site=${SITE}&state=open%2Cfix_detected%2Cregressed&limit=50&offset=50`)
    expect(second.text).toContain('Showing 51 to 60 of 60 Show earlier')
  })

  test('behind its last row says that no more come, and nothing about harm', async () => {
    const behind = issueList({ issues: [], total_count: 10, offset: 50, limit: 50, returned_count: 0 })
    const { text, html } = await renderPage(`${ADDRESS}?window=7d&limit=50&offset=50`, {
      ...basics(),
      listIssues: behind,
    })
    expect(text).toContain('There are no more issues. Show the first')
    expect(text).not.toContain('No harm was observed')
    expect(html).toContain(`href="${ADDRESS}?limit=50&amp;window=7d"`)
  })

  test('says that intended harm could not be read', async () => {
    const failed = { status: 500, body: { code: 'internal_error', title: 'Internal error' } }
    const { text } = await renderPage(ADDRESS, { ...basics(), 'issue.intended_list': failed })
    expect(text).toContain('Marked as intended This could not be read.')
  })

  test('shows refusals of impostors and intended harm separately', async () => {
    const { text } = await renderPage(ADDRESS, {
      ...basics('viewer'),
      listIssues: issueList({
        impostor_refusals: [
          {
            host: 'a.example',
            path: '/x',
            crawler_id: 'gptbot',
            requests: 4,
            first_day: '2026-11-19',
            last_day: '2026-11-19',
          },
        ],
      }),
      'issue.intended_list': {
        marks: [
          {
            id: ISSUE,
            host: 'a.example',
            path_key: '/y',
            crawler_id: null,
            harm: 'refused',
            created_at: '2026-11-01T00:00:00.000Z',
            revoked_at: null,
          },
        ],
      },
    })
    expect(text).toContain('Refused impostors')
    expect(text).toContain('refusals of every crawler, since 1 Nov')
    expect(text).toContain('Revoke . Owners can do this.')
  })
})

describe('one issue', () => {
  const at = `${ADDRESS}/${ISSUE}`

  test('shows the observation, its evidence, its fix prompt and what is still ahead', async () => {
    const { text, html, asked } = await renderPage(at, basics())
    expect(html).toMatch(/data-head="What"/)
    expect(html).not.toMatch(/data-head="What" class="[^"]*max-tablet:hidden/)
    expect(text).toContain('GPTBot on /pricing, by outcome')
    expect(text).toContain('Requests, by day www.example.com /pricing 403 9 19 Nov')
    expect(text).toContain('Let GPTBot in.')
    expect(text).toContain('Fix detected , not yet When an inspection by this service finds no harm.')
    expect(text).toContain('Only when GPTBot itself gets a 2xx afterwards.')
    expect(asked.filter((path) => path.startsWith('getPage?'))).toEqual([
      `getPage?site=${SITE}&window=30d&host=www.example.com&path=%2Fpricing&crawler_id=gptbot`,
    ])
  })

  test('distinguishes crawlers from impostors', async () => {
    const { text } = await renderPage(at, basics())
    expect(text).toContain('network verified 6 of 6')
    expect(text).toContain('Impostors, not in this issue 3 of 3')
  })

  test('offers to verify, and says to others that owners can', async () => {
    expect((await renderPage(at, basics())).html).toMatch(/<button type="button"[^>]*>Verify now<\/button>/)
    const { text } = await renderPage(at, basics('editor'))
    expect(text).toContain('Verify now . Owners can do this.')
    expect(text).toContain('Mark as intended . Owners can do this.')
  })

  test('has no page where a whole host is harmed', async () => {
    const of_host = issue({ path: null, crawler_id: null, host: 'help.example.com' })
    const { text, asked } = await renderPage(at, {
      ...basics(),
      'issue.show': shownIssue({ issue: of_host, paths: [], path_count: 0 }),
    })
    expect(text).toContain('The issue is about a whole host, so there is no page whose requests could be shown.')
    expect(asked.filter((path) => path.startsWith('getPage'))).toEqual([])
  })

  test('of a prefix or a rule shows the first page that it gathers, and never calls it a whole host', async () => {
    for (const path of ['/docs/*', '/docs/']) {
      const harm = path.endsWith('*') ? 'refused' : 'robots'
      const gathered = shownIssue({
        issue: issue({ path, harm } as never),
        paths: ['/docs/a', '/docs/b'],
        path_count: 2,
      })
      const { text, html, asked } = await renderPage(at, { ...basics(), 'issue.show': gathered })
      expect(text).toContain('GPTBot on /docs/a, by outcome')
      expect(text).toContain('4xx and 5xx in the window, on /docs/a')
      expect(html).toContain('url=https://www.example.com/docs/a"')
      expect(asked.filter((one) => one.startsWith('getPage?'))[0]).toContain('path=%2Fdocs%2Fa&')
      const without = shownIssue({ issue: issue({ path, harm } as never), paths: [], path_count: 0 })
      const unknown = await renderPage(at, { ...basics(), 'issue.show': without })
      expect(unknown.text).toContain('The pages of the issue are not recorded')
      expect(unknown.html).not.toContain('/access-checks?url=')
    }
  })

  test('claims no fix for one that ended, and offers nothing to do', async () => {
    const ended = shownIssue({
      issue: { ...issue(), state: 'lapsed' },
      changes: [{ at: '2026-11-20T02:11:00.000Z', change: 'lapsed', inspection_id: null }],
    })
    const { text } = await renderPage(at, { ...basics(), 'issue.show': ended })
    expect(text).toContain('90 days passed without a harmful request. This does not mean that it was fixed.')
    expect(text).not.toContain('Verify now')
    expect(text).not.toContain('not yet')
  })

  test('keeps its evidence when the page of it cannot be read, and says unknown where no source covered the window', async () => {
    const failed = await renderPage(at, { ...basics(), getPage: { status: 500, body: { code: 'internal_error' } } })
    expect(failed.text).toContain('This could not be read.')
    expect(failed.text).toContain('Requests, by day www.example.com /pricing 403 9 19 Nov')
    const uncovered = page({ observed_request_count: null, daily_outcomes: [], http_outcomes: [], crawlers: [] })
    const unknown = await renderPage(at, { ...basics(), getPage: uncovered, getCoverage: nothing.coverage() })
    expect(unknown.text).toContain('Unknown: no source covered this window.')
  })

  test('is saved with all of its evidence; of an inspection, what is known', () => {
    const id = '00000000-0000-4000-8000-00000000000a'
    const shown = shownIssue({
      issue: issue({ evidence_refs: [...issue().evidence_refs, { kind: 'inspection', id }] }),
    }) as unknown as Parameters<typeof evidenceCsv>[0]
    const lines = evidenceCsv(shown, new Map()).trimEnd().split('\r\n')
    expect(lines[0]).toBe('issue_id,title,detected_at,kind,id,host,path_key,status,count,window')
    expect(lines[1]).toMatch(/rollup_daily,null,www\.example\.com,\/pricing,403,9,2026-11-19\/2026-11-19$/)
    expect(lines[2]).toMatch(new RegExp(`inspection,${id},null,null,null,null,null$`))
  })

  test('is not found in the words of the service', async () => {
    const refused = { status: 404, body: { code: 'not_found', title: 'Not found', detail: 'There is no issue "x".' } }
    const { text } = await renderPage(at, { ...basics(), 'issue.show': refused })
    expect(text).toContain('There is no issue "x".')
  })
})

test('an issue is read again while an inspection that an owner requested is under way', () => {
  const inspection = { reason: 'verify', state: 'queued', obstacle: null }
  const isAwaited = (change: object) =>
    isBeingVerified(
      shownIssue({ inspections: [{ ...inspection, ...change }] }) as Parameters<typeof isBeingVerified>[0],
    )
  expect([{}, { state: 'running' }].map(isAwaited)).toEqual([true, true])
  const others = [{ state: 'done' }, { state: 'not_made' }, { obstacle: 'budget' }, { reason: 'follow_up' }]
  expect(others.map(isAwaited)).toEqual([false, false, false, false])
  expect(isBeingVerified(undefined)).toBe(false)
})
