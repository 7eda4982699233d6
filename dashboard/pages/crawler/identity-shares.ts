import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import type { Identity } from '../../../src/contract/vocabulary.ts'
import { identityParts } from '../../charts/identity-bar.tsx'
import type { SharePart } from '../../charts/share-bar.tsx'

/** Parts that occur, strongest first. In this answer `unknown` means that the vendor's addresses refute the claim. */
export function identityShares({ identities }: Pick<CrawlerAnswer, 'identities'>): SharePart[] {
  const counts: Record<Identity, number> = { unknown: 0, ua_identified: 0, provider_verified: 0, network_verified: 0 }
  for (const { identity, observed_request_count } of identities) counts[identity] = observed_request_count
  return identityParts({ identities: counts, impostor_request_count: counts.unknown }).filter(({ count }) => count > 0)
}
