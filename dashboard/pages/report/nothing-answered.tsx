import { useQuery } from '@tanstack/react-query'
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { runTotal } from '../../evidence/brand-line.tsx'
import { useBrandId } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Panel } from '../../states/panel.tsx'
import { counted, fullCount } from '../../words/numbers.ts'

/** Why every number of the report is unknown, and what to do; hidden if there are answers. */
export function NothingAnswered({ report }: { report: BrandReport }) {
  const brand = useBrandId()
  const plan = useQuery(readQuery('getPlan', {})).data
  const kept = useKeptSearch()('/brands/$brand/answers')
  const why = whyNothing(report, plan?.engines.length ?? null)
  if (why === null) return null
  return (
    <Panel title={why.title}>
      <div className="space-y-6 px-8 pb-8 max-tablet:px-6">
        <p className="max-w-320 text-ink2">{why.text}</p>
        <p className="flex flex-wrap gap-4">
          {why.helps.includes('add_questions') && (
            <PageLink to="/brands/$brand/questions" params={{ brand }} className="control">
              Add questions
            </PageLink>
          )}
          {why.helps.includes('engines') && (
            <PageLink to="/settings/engines" className="control">
              Add a key for an engine
            </PageLink>
          )}
          {why.helps.includes('import') && (
            <PageLink to="/brands/$brand/answers" params={{ brand }} className="control">
              Import answers
            </PageLink>
          )}
          {why.helps.includes('failures') && (
            <PageLink
              to="/brands/$brand/answers"
              params={{ brand }}
              search={{ ...kept, status: 'failed' }}
              className="control"
            >
              Open the failed runs
            </PageLink>
          )}
        </p>
      </div>
    </Panel>
  )
}

type Help = 'add_questions' | 'engines' | 'import' | 'failures'

/** `engines`: how many the account has; null while that is not known. */
export function whyNothing(
  { meta }: BrandReport,
  engines: number | null,
): { title: string; text: string; helps: readonly Help[] } | null {
  const { runs, questions } = meta
  if (runs.answered > 0) return null
  const total = runTotal(runs)
  if (total > 0) {
    const parts = [
      ...(runs.failed > 0 ? [`${fullCount(runs.failed)} of ${counted(total, 'run')} failed.`] : []),
      ...(runs.refused > 0 ? [`${fullCount(runs.refused)} of ${counted(total, 'run')} were refused.`] : []),
      ...(runs.scheduled_not_run > 0 ? [`${fullCount(runs.scheduled_not_run)} were due and not asked.`] : []),
    ]
    return {
      title: 'No answer in these dates.',
      text: `${parts.join(' ')} Every number below is unknown, not zero.`,
      helps: runs.failed > 0 ? ['failures'] : ['engines'],
    }
  }
  if (questions.active === 0 && questions.asked === 0) {
    return {
      title: 'No questions have been added yet.',
      text: 'Add the questions that people ask engines where this brand should be named.',
      helps: ['add_questions', 'import'],
    }
  }
  if (engines === 0) {
    return {
      title: 'No engine has been set up yet.',
      text: 'Import answers that another tool collected, or add a key with which engines are asked daily.',
      helps: ['import', 'engines'],
    }
  }
  return {
    title: 'Nothing was asked in these dates.',
    text: 'No run matches these dates and filters. Every number below is unknown, not zero.',
    helps: ['import'],
  }
}
