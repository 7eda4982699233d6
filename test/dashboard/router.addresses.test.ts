/** Where addresses of the dashboard lead before a page is drawn. */
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { createQueries } from '../../dashboard/read/queries.ts'
import { createDashboard } from '../../dashboard/router.tsx'
import { SITE, session } from './support/answers.ts'

async function open(address: string) {
  const queries = createQueries()
  const aliases = [{ site_id: SITE, root_domain: 'former.example' }]
  queries.setQueryData(['getSession', {}], { ...session(), aliases } as never)
  const router = createDashboard(queries, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  return router
}

/** Outside of a browser the router names the redirect and does not follow it. */
async function redirectOf(address: string) {
  const result = (await open(address))._serverResult
  return result?.type === 'redirect' ? result.redirect.headers.get('location') : null
}

test('the start page of a site is its crawler overview', async () => {
  expect(await redirectOf(`/sites/${SITE}`)).toBe(`/sites/${SITE}/performance`)
})

test('a domain and a former one that is kept lead to the site, with the page and its filters', async () => {
  for (const domain of ['example.com', 'Former.example']) {
    expect(await redirectOf(`/sites/${domain}/crawlers?window=7d`)).toBe(`/sites/${SITE}/crawlers?window=7d`)
  }
})

test('a page that is missing is not called a missing site', async () => {
  const missing = async (address: string) => {
    const { matches } = (await open(address)).state
    return matches.flatMap(({ error }) => (error as { data?: string } | undefined)?.data ?? [])
  }
  expect(await missing(`/sites/${SITE}/nonsense`)).toEqual([])
  expect(await missing('/sites/foreign.example/performance')).toEqual([
    'There is no such site, or you are not a member of it.',
  ])
})
