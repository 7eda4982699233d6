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

/** The number of answers that a shorter retention deletes, from the report of these days. */
export function LostAnswers({ brand, from, to }: LostAnswersProps) {
  const { data, error } = useQuery(readQuery('getBrandReport', { brandId: brand, from, to }))
  return <p className="mt-4 font-medium text-ink">{lostAnswersWords(data?.meta.runs, error !== null, { from, to })}</p>
}

/** "1,190 answers of 21 Nov 2025 – 21 Nov 2026 will be deleted, and 41 runs that were refused or failed." */
export function lostAnswersWords(
  runs: Pick<BrandReport['meta']['runs'], 'answered' | 'refused' | 'failed'> | undefined,
  has_failed: boolean,
  { from, to }: { from: string; to: string },
): string {
  const span = datedSpanText(from, to)
  if (runs === undefined) {
    return has_failed
      ? `The number of answers of ${span} that will be deleted could not be read.`
      : 'Counting what will be deleted…'
  }
  const rest = runs.refused + runs.failed
  const others = rest === 0 ? '' : `, and ${counted(rest, 'run')} that were refused or failed`
  return `${counted(runs.answered, 'answer')} of ${span} will be deleted${others}.`
}
