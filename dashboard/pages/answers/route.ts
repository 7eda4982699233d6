import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { answerPages } from '../../read/answer-pages.ts'
import {
  ANSWER_STATUSES,
  type BrandSearch,
  brandSearchOf,
  commonInput,
  given,
  truthOf,
} from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const answersInput = (brand: string, search: BrandSearch) => ({
  ...commonInput(brand, search),
  ...given({
    status: search.status as (typeof ANSWER_STATUSES)[number] | undefined,
    branded: truthOf(search.branded),
    mentioned: truthOf(search.mentioned),
    cited: truthOf(search.cited),
  }),
})

/** The input for the runs of the answers. Filters by the content of answers do not apply to runs. */
export const runsInput = (brand: string, search: BrandSearch) => ({
  ...commonInput(brand, search),
  ...given({ branded: truthOf(search.branded) }),
})

export const answersRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'answers',
  validateSearch: brandSearchOf(
    [
      ...(['from', 'to', 'engines', 'country', 'question_id'] as const),
      ...(['branded', 'mentioned', 'cited', 'status'] as const),
    ],
    { status: ANSWER_STATUSES },
  ),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { brand }, deps }) => {
    void queries.prefetchInfiniteQuery(answerPages(answersInput(brand, deps)))
    void queries.prefetchQuery(readQuery('getBrandReport', runsInput(brand, deps)))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'AnswersPage'),
})

/** One answer at the side of the list. */
export const answerRoute = createRoute({
  getParentRoute: () => answersRoute,
  path: '$answer',
  loader: ({ context: { queries }, params: { brand, answer } }) => {
    void queries.prefetchQuery(readQuery('getAnswer', { brandId: brand, answerId: answer }))
  },
  component: lazyRouteComponent(() => import('./answer-drawer.tsx'), 'AnswerDrawer'),
})
