import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type BrandSearch, brandSearchOf, given, QUESTION_STATUSES } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const QUESTIONS_A_PAGE = 100

export const questionsInput = (brand: string, search: BrandSearch) => ({
  brandId: brand,
  limit: QUESTIONS_A_PAGE,
  ...given({
    kind: search.kind,
    country: search.country,
    status: search.status as (typeof QUESTION_STATUSES)[number] | undefined,
    offset: search.offset === undefined ? undefined : Number(search.offset),
  }),
})

export const questionsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'questions',
  validateSearch: brandSearchOf(['kind', 'country', 'status', 'offset'], { status: QUESTION_STATUSES }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { brand }, deps }) => {
    void queries.prefetchQuery(readQuery('listQuestions', questionsInput(brand, deps)))
    void queries.prefetchQuery(readQuery('getPlan', {}))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'QuestionsPage'),
})
