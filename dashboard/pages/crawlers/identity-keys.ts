import type { Crawler } from '../../../src/contract/site-api/index.ts'
import { identityParts } from '../../charts/identity-bar.tsx'

/** Parts of identity bars that occur in any of the rows. */
export const identityKeys = (rows: readonly Crawler[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      identityParts(row)
        .filter(({ count }) => count > 0)
        .map(({ key }) => key),
    ),
  ),
]
