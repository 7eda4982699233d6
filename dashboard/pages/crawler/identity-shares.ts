import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { identitiesOf, identityParts } from '../../charts/identity-bar.tsx'
import type { SharePart } from '../../charts/share-bar.tsx'

/** Parts that occur, strongest first. */
export const identityShares = ({ identities }: Pick<CrawlerAnswer, 'identities'>): SharePart[] =>
  identityParts(identitiesOf(identities)).filter(({ count }) => count > 0)
