/** Sources of evidence of one site. */
import { sourceRoute } from '../pages/source/route.ts'
import { sourceNewRoute } from '../pages/source-new/route.ts'
import { sourcesRoute } from '../pages/sources/route.ts'

export const sourcePages = [sourcesRoute, sourceNewRoute, sourceRoute]
