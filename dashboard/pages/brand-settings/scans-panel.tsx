import { useQuery } from '@tanstack/react-query'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { PageLink } from '../../controls/page-link.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { ScanActions } from './scan-actions.tsx'
import { ScanRow } from './scan-row.tsx'
import { ScheduleForm } from './schedule-form.tsx'

const SHOWN = 10
const RUNNING_MS = 5_000

export type ScanList = ReadOutput<'scan.list'>

/** The schedule of scans and their results; a running scan is read again every five seconds. */
export function ScansPanel({ brand }: { brand: string }) {
  const scans = useQuery({
    ...readQuery('scan.list', { brand, limit: SHOWN }),
    refetchInterval: ({ state }) => (state.data?.scans.some((scan) => scan.state === 'running') ? RUNNING_MS : false),
  })
  return (
    <Panel
      title="Scans"
      note="when the active questions are asked"
      actions={
        <PageLink to="/settings/engines" className="control">
          Engines and budgets
        </PageLink>
      }
    >
      <Async query={scans} skeleton={<SkeletonRows rows={4} />}>
        {(list) => <ScanBlocks brand={brand} list={list} />}
      </Async>
    </Panel>
  )
}

export function ScanBlocks({ brand, list: { schedule, scans } }: { brand: string; list: ScanList }) {
  const may = useMayOnBrand()
  return (
    <>
      <div className="space-y-6 px-8 pb-8 max-tablet:px-6">
        <p>{scheduleWords(schedule)}</p>
        <ScheduleForm key={JSON.stringify(schedule)} brand={brand} schedule={schedule} forbidden={may.edit} />
        <ScanActions
          brand={brand}
          schedule={schedule}
          is_running={scans.some(({ state }) => state === 'running')}
          forbidden={may.edit}
        />
      </div>
      {scans.length === 0 ? (
        <p className="border-t border-line px-8 py-8 text-ink2 max-tablet:px-6">No scan has run yet.</p>
      ) : (
        <ul>
          {scans.map((scan) => (
            <ScanRow key={scan.id} scan={scan} />
          ))}
        </ul>
      )}
    </>
  )
}

/** When the next scan is due, or why no scan is due. */
export function scheduleWords({ hour, runs, is_paused, next_at }: ScanList['schedule']): string {
  const how_often = runs === 1 ? 'once' : `${runs} times`
  if (is_paused) return 'Paused: no scan is due until it is resumed.'
  if (hour === null) return 'No daily scan is set.'
  const next = next_at === null ? '' : ` The next one starts at about ${instantText(next_at)} UTC.`
  return `Every engine is asked each question ${how_often} a day, at about ${String(hour).padStart(2, '0')}:00 UTC.${next}`
}
