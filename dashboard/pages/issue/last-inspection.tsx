import { Panel, PanelBody } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import type { ShownIssue } from './page.tsx'
import { useInspections } from './use-inspections.ts'

type Inspection = ShownIssue['inspections'][number]

/** The responses to this service. A verified crawler may get others. */
export function LastInspection({ shown }: { shown: ShownIssue }) {
  const { inspections } = shown
  const recent = useInspections(shown)
  const last = newestOf(inspections)
  const next = inspections.find(({ state }) => state === 'queued')
  if (last === undefined) {
    return (
      <Panel title="Last inspection">
        <PanelBody>
          <p className="text-ink2">No inspection has been made yet.</p>
        </PanelBody>
      </Panel>
    )
  }
  const detail = recent.get(last.id)
  const rows: [string, React.ReactNode][] = [
    ['Result', resultWords(last)],
    ['Harm reproduced', last.reproduced === null ? 'unknown' : last.reproduced],
    ['Reason', REASON_WORDS[last.reason] ?? last.reason],
  ]
  if (detail !== undefined) {
    rows.splice(1, 0, ['Status', detail.final_status ?? 'no response'])
    rows.push([
      'Page',
      <code key="page" className="font-mono text-code">
        {shortText(`${detail.host}${detail.path}`)}
      </code>,
    ])
  }
  return (
    <Panel title="Last inspection" note={`${instantText(last.ended_at ?? last.due_at)} UTC`}>
      <PanelBody>
        <dl>
          {rows.map(([label, value]) => (
            <div key={label} className="flex gap-8 border-t border-line py-4 text-dense first:border-t-0">
              <dt className="w-56 shrink-0 text-ink3">{label}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        {next !== undefined && next !== last && (
          <p className="mt-4 text-small text-ink2">The next one is due at {instantText(next.due_at)} UTC.</p>
        )}
        <p className="mt-4 text-small text-ink2">
          Made by this service from its own address. A verified crawler may get another response.
        </p>
      </PanelBody>
    </Panel>
  )
}

/** The newest that has ended, or else the one that is due next. */
export function newestOf(inspections: readonly Inspection[]): Inspection | undefined {
  const ended = inspections.filter(({ ended_at }) => ended_at !== null)
  const by = (one: Inspection) => one.ended_at ?? one.due_at
  return (ended.length > 0 ? ended : inspections).toSorted((a, b) => by(b).localeCompare(by(a)))[0]
}

function resultWords({ state, obstacle, is_clean }: Inspection): string {
  if (state === 'queued') return obstacle === 'budget' ? 'waiting: the hourly budget is used up' : 'waiting'
  if (state === 'running') return 'running'
  if (state === 'not_made') return `was not made: ${OBSTACLE_WORDS[obstacle ?? ''] ?? obstacle ?? 'unknown'}`
  if (is_clean === null) return 'unknown'
  return is_clean ? 'clean' : 'harm found'
}

const OBSTACLE_WORDS: Readonly<Record<string, string>> = {
  budget: 'the hourly budget is used up',
  not_possible: 'the page cannot be requested',
  expired: 'it waited for too long',
  failed: 'it failed',
}

const REASON_WORDS: Readonly<Record<string, string>> = {
  baseline: 'baseline, after the issue was opened',
  verify: 'requested by an owner',
  follow_up: 'repeated by the schedule',
  success: 'after requests that succeeded',
  precondition: 'before the issue was opened',
}
