import type { BrandReportInput } from '#contract/account-api/index.ts'
import type { ControlStore } from '#control/store.ts'
import { readCurrentVersion } from '../answers/mention-version.ts'
import { questionsOf } from '../answers/question-filter.ts'
import { unfiltered } from '../answers/read-answers.sql.ts'
import type { FoundBrand } from '../find-brand.ts'
import type { ReportFilter } from './report.sql.ts'

type ReportParameters = Pick<BrandReportInput, 'from' | 'to' | 'engines' | 'country' | 'question_id' | 'branded'>

/** The answers that the parameters of a report leave. @throws Refusal not_found: the brand has no such question. */
export async function reportFilter(
  { control, brand }: { control: ControlStore; brand: FoundBrand },
  input: ReportParameters,
): Promise<ReportFilter> {
  return {
    ...unfiltered(brand, await readCurrentVersion(control, brand)),
    days: { from: input.from, to: input.to },
    engines: input.engines ?? null,
    country: input.country ?? null,
    question_ids: await questionsOf(control.db, brand, input),
  }
}
