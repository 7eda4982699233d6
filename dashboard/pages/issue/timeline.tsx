import type { LifeChange } from '../../../src/contract/vocabulary.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { CHANGE_WORDS } from '../../words/issues.ts'
import type { ShownIssue } from './page.tsx'

/** The history of the issue, and the condition of each next state. */
export function Timeline({ shown }: { shown: ShownIssue }) {
  const site = useSiteId()
  const kept = useKeptSearch()('/sites/$site/issues/$issue')
  const nameOf = useCrawlerNames()
  const next = futureOf(shown.issue, nameOf)
  return (
    <ol>
      {shown.previous_id !== null && (
        <Step title="An earlier issue" is_past>
          <PageLink to="/sites/$site/issues/$issue" params={{ site, issue: shown.previous_id }} search={kept}>
            The same harm before
          </PageLink>
        </Step>
      )}
      {shown.changes.map(({ at, change }) => (
        <Step key={`${at} ${change}`} title={CHANGE_WORDS[change]?.title ?? change} is_past at={at}>
          {CHANGE_WORDS[change]?.words}
        </Step>
      ))}
      {next.map(({ change, words }) => (
        <Step key={change} title={CHANGE_WORDS[change].title}>
          {words}
        </Step>
      ))}
    </ol>
  )
}

/** The states that are still ahead, with the condition of each (rules 8.2). */
export function futureOf(
  issue: Pick<ShownIssue['issue'], 'state' | 'crawler_id' | 'fix_confirmed_at'>,
  nameOf: (crawler_id: string) => string,
): { change: LifeChange; words: string }[] {
  const crawler =
    issue.crawler_id === null ? 'crawlers themselves get' : `${shortText(nameOf(issue.crawler_id))} itself gets`
  const confirmed = { change: 'fix_confirmed', words: `Only when ${crawler} a 2xx afterwards.` } as const
  const detected = { change: 'fix_detected', words: 'When an inspection by this service finds no harm.' } as const
  if (issue.state === 'open' || issue.state === 'regressed') return [detected, confirmed]
  if (issue.state === 'fix_detected') {
    return issue.fix_confirmed_at === null
      ? [confirmed]
      : [{ change: 'closed', words: '30 days after the fix was confirmed, unless the harm comes back.' }]
  }
  return []
}

interface StepProps {
  title: string
  is_past?: boolean
  at?: string
  children: React.ReactNode
}

const Step = ({ title, is_past = false, at, children }: StepProps) => (
  <li className="group/step relative pb-8 pl-12 last:pb-0">
    <span
      aria-hidden="true"
      className={`absolute top-3 left-0 h-6 w-6 rounded-full border ${is_past ? 'border-ink2 bg-ink2' : 'border-dashed border-control bg-panel'}`}
    />
    <span aria-hidden="true" className="absolute top-10 bottom-0 left-[5px] w-px bg-control group-last/step:hidden" />
    <p className="font-medium">
      {title}
      {!is_past && <span className="sr-only">, not yet</span>}
    </p>
    <p className="text-dense text-ink2">{children}</p>
    {at !== undefined && <p className="text-small text-ink3">{instantText(at)} UTC</p>}
  </li>
)
