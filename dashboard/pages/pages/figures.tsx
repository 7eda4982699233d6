import type { AnalyticsPages } from '../../../src/contract/site-api/index.ts'
import { Figure, Figures } from '../../states/figures.tsx'

/** Numbers about visits; undefined while they are read. */
export const VisitedPagesFigures = ({ summary }: { summary: AnalyticsPages['summary'] | undefined }) => (
  <Figures label="Figures">
    <Figure label="Pageviews" value={summary?.pageviews} note="by browsers that run the tracker" />
    <Figure label="Sessions" value={summary?.sessions} note="with at least one pageview" />
    <Figure label="Pages" value={summary?.page_count} note="with a pageview or a conversion" />
    <Figure label="Crawler patterns" value={summary?.crawler_pattern_count} note="paths with a removed part" />
  </Figures>
)
