import { expect, test } from 'vitest'
import { nothingMatches } from '../../../dashboard/tables/filter-box.tsx'
import { basics, SITE, topPages } from '../support/answers.ts'
import { renderPage } from '../support/render.ts'

const ADDRESS = `/sites/${SITE}/top-pages?q=%2Fnowhere`

test('a filter that matches no loaded row says nothing about rows that are not loaded', async () => {
  const { pages } = topPages()
  const of_many = topPages({ total_count: 1_234, truncated: true })
  const { text } = await renderPage(ADDRESS, { ...basics(), getTopPages: of_many })
  expect(text).toContain(`No page among the ${pages.length} loaded matches “/nowhere”. The others are not searched.`)
  expect(text).not.toContain('No such page was requested.')
})

test('a filter that matches none of all rows says so', async () => {
  const { pages } = topPages()
  const all = topPages({ total_count: pages.length, truncated: false })
  expect((await renderPage(ADDRESS, { ...basics(), getTopPages: all })).text).toContain('No page matches “/nowhere”.')
})

test('without any row, the evidence says why, whatever is filtered', async () => {
  const none = topPages({ pages: [], total_count: 0, returned_count: 0, truncated: false })
  expect((await renderPage(ADDRESS, { ...basics(), getTopPages: none })).text).toContain('No such page was requested.')
})

test('rows of an unknown total may match', () => {
  expect(nothingMatches({ what: 'page', q: 'a', searched: 50, total: null })).toBe(
    'No page among the 50 loaded matches “a”. The others are not searched.',
  )
})
