import type { AnalyticsSources } from '../../../src/contract/site-api/index.ts'
import type { AI_EVIDENCE } from '../../../src/contract/vocabulary.ts'
import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { shortText } from '../../words/foreign-text.ts'
import { fullCount } from '../../words/numbers.ts'
import { platformWords } from '../../words/tracker.ts'

type Evidence = (typeof AI_EVIDENCE)[number]

export const AI_EVIDENCE_WORDS: Record<Evidence, string> = { referrer: 'referrer', utm: 'tag', both: 'both' }

interface Assistant {
  platform: string
  sessions: number
  pageviews: number
  evidence: { kind: Evidence; sessions: number }[]
}

/** One row per assistant; the answer has one for each kind of evidence. */
export function assistantsOf(rows: NonNullable<AnalyticsSources['ai_referral']>): Assistant[] {
  const of_platform = Map.groupBy(rows, ({ platform }) => platform)
  return [...of_platform]
    .map(([platform, own]) => ({
      platform,
      sessions: own.reduce((sum, { sessions }) => sum + sessions, 0),
      pageviews: own.reduce((sum, { pageviews }) => sum + pageviews, 0),
      evidence: own.map(({ evidence, sessions }) => ({ kind: evidence, sessions })),
    }))
    .toSorted((a, b) => b.sessions - a.sessions)
}

const COLUMNS: Column<Assistant>[] = [
  {
    key: 'platform',
    head: 'Assistant',
    cell: ({ platform, evidence }) => (
      <>
        <span className="block font-medium">{shortText(platformWords(platform))}</span>
        <span className="block text-small text-ink2">
          {evidence.map(({ kind, sessions }) => `${AI_EVIDENCE_WORDS[kind]} ${fullCount(sessions)}`).join(' · ')}
        </span>
      </>
    ),
  },
  {
    key: 'sessions',
    head: 'Sessions',
    is_number: true,
    phone: 'value',
    cell: ({ sessions }) => <Value value={sessions} quality="at_least" />,
  },
  {
    key: 'pageviews',
    head: 'Pageviews',
    is_number: true,
    cell: ({ pageviews }) => <Value value={pageviews} />,
  },
]

/** Sessions that an assistant sent, and the evidence: a referring page of the assistant, a tag in the link, or both. */
export function AssistantsPanel({ answer: { ai_referral, ai_platforms_version } }: { answer: AnalyticsSources }) {
  const rows = ai_referral === null ? [] : assistantsOf(ai_referral)
  return (
    <Panel title="AI assistants" note={`labels of ${ai_platforms_version}`}>
      <DataTable
        caption="Sessions that AI assistants sent"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ platform }) => platform}
        total={ai_referral === null ? null : rows.length}
        api_order="sessions"
        empty={
          ai_referral === null
            ? 'Which sessions assistants sent is unknown.'
            : 'No session came from a recognized AI assistant.'
        }
      />
      <p className="px-8 pb-6 text-small text-ink2 max-tablet:px-6">
        A lower bound: assistants that hide the origin of a click are not counted.
      </p>
    </Panel>
  )
}
