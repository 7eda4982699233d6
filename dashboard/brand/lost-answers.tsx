import { useQuery } from '@tanstack/react-query'
import type { BrandReport } from '../../src/contract/account-api/index.ts'
import { readQuery } from '../read/queries.ts'
import { datedSpanText } from '../words/days.ts'
import { counted } from '../words/numbers.ts'

interface LostAnswersProps {
  brand: string
  from: string
  to: string
}

/** How many answers a shorter retention deletes, as the report over these days counts them. */
export function LostAnswers({ brand, from, to }: LostAnswersProps) {
  const { data, error } = useQuery(readQuery('getBrandReport', { brandId: brand, from, to }))
  return <p className="mt-4 font-medium text-ink">{lostAnswersWords(data?.meta.runs, error !== null, { from, to })}</p>
}

/** "1,190 answers of 21 Nov 2025 – 21 Nov 2026 are lost, and 41 runs that were refused or failed." */
export function lostAnswersWords(
  runs: Pick<BrandReport['meta']['runs'], 'answered' | 'refused' | 'failed'> | undefined,
  has_failed: boolean,
  { from, to }: { from: string; to: string },
): string {
  const span = datedSpanText(from, to)
  if (runs === undefined) {
    return has_failed
      ? `How many answers of ${span} are lost could not be read; it is unknown.`
      : 'Counting what is lost…'
  }
  const rest = runs.refused + runs.failed
  const others = rest === 0 ? '' : `, and ${counted(rest, 'run')} that were refused or failed`
  return `${counted(runs.answered, 'answer')} of ${span} ${runs.answered === 1 ? 'is' : 'are'} lost${others}.`
}
