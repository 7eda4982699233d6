import { expect, test } from 'vitest'
import { keptSearch, onOtherSite } from '../../../dashboard/shell/kept-search.ts'

test('a link keeps the filters of its group', () => {
  const search = { window: '7d', purpose: 'training', from: '2026-11-01', engines: 'openai', q: 'a', question_id: 'x' }
  expect(keptSearch('/sites/$site/crawlers', search)).toEqual({ window: '7d', purpose: 'training' })
  expect(keptSearch('/brands/$brand/answers', search)).toMatchObject({ from: '2026-11-01', engines: 'openai' })
  expect(keptSearch('/brands/$brand/answers', search)).not.toHaveProperty('question_id')
})

test('a link into pages that answer for short windows drops a longer one', () => {
  for (const to of ['/sites/$site/journeys', '/sites/$site/funnels/new', '/sites/$site/revenue']) {
    expect(keptSearch(to, { window: '90d', purpose: 'search' })).toEqual({ purpose: 'search' })
    expect(keptSearch(to, { window: '7d' })).toEqual({ window: '7d' })
  }
  expect(keptSearch('/sites/$site/pages', { window: '90d' })).toEqual({ window: '90d' })
})

test('a link to answers, which cover 90 days, keeps the last ones of a longer range', () => {
  const to = '2026-11-21'
  for (const page of ['/brands/$brand/answers', '/brands/$brand/answers/$answer']) {
    expect(keptSearch(page, { from: '2025-11-22', to } as object)).toEqual({ from: '2026-08-24', to })
    expect(keptSearch(page, { from: '2026-08-24', to } as object)).toEqual({ from: '2026-08-24', to })
    expect(keptSearch(page, { from: '2025-11-22' } as object)).toEqual({ from: '2025-11-22' })
  }
  expect(keptSearch('/brands/$brand/urls', { from: '2025-11-22', to } as object)).toEqual({ from: '2025-11-22', to })
})

test('another site is shown on the same page with the same filters', () => {
  for (const path of ['/sites/$site/settings/alerts', '/sites/$site/funnels/new', '/sites/$site/top-pages']) {
    expect(onOtherSite(path, { window: '7d', group: 'content' })).toEqual({
      to: path,
      search: { window: '7d', group: 'content' },
    })
  }
})

test('a page about one thing of the old site leads to the overview of the other', () => {
  const search = { window: '7d', group: 'content' }
  const overview = { to: '/sites/$site/performance', search: { window: '7d' } }
  for (const path of ['/sites/$site/issues/$issue', '/sites/$site/top-pages/one', '/brands/$brand/report']) {
    expect(onOtherSite(path, search)).toEqual(overview)
  }
})
