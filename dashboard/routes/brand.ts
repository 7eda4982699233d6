/** Pages of the group Brand, and the settings of the account that go with them. */
import { createRoute, redirect } from '@tanstack/react-router'
import { answerRoute, answersRoute } from '../pages/answers/route.ts'
import { brandSettingsRoute } from '../pages/brand-settings/route.ts'
import { brandsRoute } from '../pages/brands/route.ts'
import { enginesRoute } from '../pages/engines/route.ts'
import { fixesRoute } from '../pages/fixes/route.ts'
import { questionsRoute } from '../pages/questions/route.ts'
import { reportRoute } from '../pages/report/route.ts'
import { urlsRoute } from '../pages/urls/route.ts'
import { brandRoute } from './brand-root.tsx'

const brandStartRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/brands/$brand/report', params, replace: true } as never)
  },
})

export const brandPages = [
  brandRoute.addChildren([
    brandStartRoute,
    reportRoute,
    answersRoute.addChildren([answerRoute]),
    questionsRoute,
    urlsRoute,
    fixesRoute,
    brandSettingsRoute,
  ]),
]
export const brandAccountPages = [brandsRoute, enginesRoute]
