/** Pages of the dashboard as text, from answers that a test gives: no browser, no service. */
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { vi } from 'vitest'
import { createQueries } from '../../../dashboard/read/queries.ts'
import { createDashboard } from '../../../dashboard/router.tsx'

/** An answer by operation; a status with a body for a refusal; 'never' for one that does not come. */
export type Answers = Readonly<Record<string, object | 'never' | { status: number; body: object }>>

export interface Rendered {
  html: string
  /** What a person reads, spaces put together. */
  text: string
  /** Addresses that were asked, without the base. */
  asked: readonly string[]
}

/** Loads the page of an address and renders it once every read has ended, except those that never do. */
export async function renderPage(address: string, answers: Answers): Promise<Rendered> {
  const asked: string[] = []
  const fetchDouble = (url: string) => {
    const path = url.replace('/dashboard-api/', '')
    asked.push(path)
    const operation = path.split('?')[0] ?? ''
    const answer = answers[operation]
    if (answer === 'never') return new Promise<Response>(() => {})
    if (answer === undefined) return Promise.resolve(json(500, { code: 'internal_error', title: 'No answer' }))
    if ('status' in answer && 'body' in answer) return Promise.resolve(json(Number(answer.status), answer.body))
    return Promise.resolve(json(200, answer))
  }
  vi.stubGlobal('fetch', fetchDouble)
  const queries = createQueries()
  queries.setDefaultOptions({
    queries: {
      ...queries.getDefaultOptions().queries,
      retry: false,
      retryOnMount: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
  })
  const router = createDashboard(queries, createMemoryHistory({ initialEntries: [address] }))
  try {
    await router.load()
    const draw = () =>
      renderToStaticMarkup(
        createElement(QueryClientProvider, { client: queries }, createElement(RouterProvider, { router })),
      )
    // Reads that only a component starts do not begin while it is rendered to text: they are fetched between two
    // renderings.
    let html = draw()
    for (let round = 0; round < 4; round += 1) {
      const waiting = queries
        .getQueryCache()
        .getAll()
        .filter(
          ({ state, queryKey, options }) =>
            state.status === 'pending' &&
            (options as { enabled?: boolean }).enabled !== false &&
            answers[String(queryKey[0])] !== 'never',
        )
      if (waiting.length === 0) break
      await Promise.allSettled(waiting.map((query) => query.fetch(query.options as never)))
      html = draw()
    }
    return { html, text: textOf(html), asked }
  } finally {
    queries.clear()
    vi.unstubAllGlobals()
  }
}

/** A block that needs the address, rendered at one. */
export async function renderBlock(block: ReactElement, address = `/?site=example.com`): Promise<Rendered> {
  const queries = createQueries()
  const route = createRootRoute({ component: () => block, validateSearch: (search) => search })
  const router = createRouter({ routeTree: route, history: createMemoryHistory({ initialEntries: [address] }) })
  await router.load()
  const html = renderToStaticMarkup(
    createElement(QueryClientProvider, { client: queries }, createElement(RouterProvider, { router } as never)),
  )
  return { html, text: textOf(html), asked: [] }
}

const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-1' },
  })

export const textOf = (html: string): string =>
  html
    .replace(/<(?:style|script)[^>]*>.*?<\/(?:style|script)>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
