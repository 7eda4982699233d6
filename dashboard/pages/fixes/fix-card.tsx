import type { Fix } from '../../../src/contract/account-api/fixes.ts'
import { useBrand } from '../../brand/brand-page.tsx'
import { Badge } from '../../controls/badge.tsx'
import { CodeBlock } from '../../controls/code-block.tsx'
import { OutsideLink } from '../../controls/outside-link.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Panel } from '../../states/panel.tsx'
import { FIX_KIND_WORDS, FIX_STATUS_WORDS, REASON_WORDS, VERIFICATION_WORDS } from '../../words/brand.ts'
import { instantText } from '../../words/days.ts'
import { middleCut, shortText, visibleLines } from '../../words/foreign-text.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'
import { FixActions } from './fix-actions.tsx'

const STATUS_TONES = { open: 'warn', accepted: 'plain', completed: 'ok', dismissed: 'plain' } as const

/** One fix: its reason, what to do, the prompt, and its history. */
export function FixCard({ brand, fix }: { brand: string; fix: Fix }) {
  return (
    <Panel
      title={shortText(fix.title, 200)}
      controls={
        <>
          <Badge tone={STATUS_TONES[fix.status] ?? 'plain'}>{FIX_STATUS_WORDS[fix.status] ?? fix.status}</Badge>
          <span className="text-small text-ink3">{FIX_KIND_WORDS[fix.kind] ?? fix.kind}</span>
        </>
      }
    >
      <div className="space-y-5 px-8 pb-8 max-tablet:px-6">
        <p className="max-w-500">{shortText(fix.description, 2_000)}</p>
        <Evidence brand={brand} fix={fix} />
        <details className="group">
          <summary className="link w-fit text-dense">Fix prompt</summary>
          <div className="mt-4">
            <CodeBlock text={visibleLines(fix.fix_prompt)} />
          </div>
        </details>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 pt-1">
          <History fix={fix} />
          <FixActions brand={brand} fix={fix} />
        </div>
      </div>
    </Panel>
  )
}

type Ref = Fix['evidence_refs'][number]
const REF_WORDS = { issue: 'Issue', answer: 'Answer', question: 'Answers to the question' } as const

/** Links to the evidence of the fix. Several of a kind are numbered. */
function Evidence({ brand, fix: { evidence_refs } }: { brand: string; fix: Fix }) {
  const kinds = new Map<string, number>()
  return (
    <div className="flex flex-wrap items-baseline gap-x-6 gap-y-2 text-dense">
      <h3 className="font-strong">Evidence</h3>
      {evidence_refs.map((ref) => {
        const number = (kinds.get(ref.kind) ?? 0) + 1
        kinds.set(ref.kind, number)
        const is_only = evidence_refs.filter(({ kind }) => kind === ref.kind).length === 1
        return (
          <span key={'url' in ref ? ref.url : ref.id}>
            <EvidenceLink brand={brand} of={ref} number={is_only ? '' : ` ${number}`} />
          </span>
        )
      })}
    </div>
  )
}

function EvidenceLink({ brand, of: ref, number }: { brand: string; of: Ref; number: string }) {
  const site = useBrand()?.site_id ?? null
  if ('url' in ref) {
    return (
      <bdi dir="ltr" className="font-mono text-code">
        <OutsideLink href={ref.url}>{middleCut(ref.url, 90)}</OutsideLink>
      </bdi>
    )
  }
  const label = `${REF_WORDS[ref.kind]}${number}`
  if (ref.kind === 'answer') {
    return (
      <PageLink to="/brands/$brand/answers/$answer" params={{ brand, answer: ref.id }}>
        {label}
      </PageLink>
    )
  }
  if (ref.kind === 'question') {
    return (
      <PageLink to="/brands/$brand/answers" params={{ brand }} search={{ question_id: ref.id }}>
        {label}
      </PageLink>
    )
  }
  if (site === null) return <span className="text-ink2">{label} of a site that is not yours</span>
  return (
    <PageLink to="/sites/$site/issues/$issue" params={{ site, issue: ref.id }}>
      {label}
    </PageLink>
  )
}

/** The dates of its changes, and the result of its verification. */
function History({ fix }: { fix: Fix }) {
  const { verification } = fix
  const steps: [string, string | null][] = [
    ['Made', fix.created_at],
    ['Accepted', fix.accepted_at],
    ['Completed', fix.completed_at],
    ['Dismissed', fix.dismissed_at],
  ]
  return (
    <div className="space-y-2 text-dense text-ink2">
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        {steps.map(([label, at]) =>
          at === null ? null : (
            <span key={label}>
              {label} {instantText(at)} UTC
            </span>
          ),
        )}
      </p>
      {fix.dismissed_reason !== null && <p>“{shortText(fix.dismissed_reason, 500)}”</p>}
      {verification.state !== 'not_started' && (
        <p>
          <span className="font-medium text-ink">{VERIFICATION_WORDS[verification.state] ?? verification.state}</span>
          {verification.reason !== null && `: ${REASON_WORDS[verification.reason] ?? verification.reason}`}
          {verification.before !== null && `. Before ${rateWords(verification.before)}`}
          {verification.after !== null && `, after ${rateWords(verification.after)}`}
          {verification.checked_at !== null && `, judged ${instantText(verification.checked_at)} UTC`}
        </p>
      )}
      {fix.replaces !== null && <p>The same fix was completed before, and its evidence was found again.</p>}
    </div>
  )
}

type Rate = NonNullable<Fix['verification']['before']>

export function rateWords({ value, numerator, denominator, low, high }: Rate): string {
  if (value === null) return 'unknown'
  const range = low === null || high === null ? '' : ` (${interval(low, high)})`
  return `${percent(value)}${range}, ${fullCount(numerator)} of ${fullCount(denominator)}`
}
