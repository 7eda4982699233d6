import { useQuery } from '@tanstack/react-query'
import { barsOf, type Funnel, fewestWentOn } from '../../charts/funnel/funnel-steps.ts'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { Figure, Figures } from '../../states/figures.tsx'
import { fullCount, percent } from '../../words/numbers.ts'
import { VALUE_QUALITIES } from '../../words/tracker.ts'

/** Four numbers, or why there are none. */
export function FunnelFigures({ funnel }: { funnel: Funnel }) {
  const { metrics, evidence_state, step_count } = funnel
  const fewest = fewestWentOn(barsOf(funnel))
  const quality = VALUE_QUALITIES[metrics.entered_quality]
  const without_sessions = metrics.entered_sessions === 0 ? 'no session entered' : undefined
  const rate_quality = evidence_state === 'suppressed' ? ('withheld' as const) : ('exact' as const)
  return (
    <>
      <Figures label="Figures">
        <Figure label="Entered" value={metrics.entered_sessions} quality={quality} note="sessions reached step 1" />
        <Figure
          label="Completed"
          value={metrics.completed_sessions}
          quality={VALUE_QUALITIES[metrics.completed_quality]}
          note={`sessions reached step ${step_count}`}
        />
        <Figure
          label="Completion rate"
          value={metrics.completion_rate}
          format={percent}
          quality={rate_quality}
          not_defined={without_sessions}
          note={
            metrics.completed_sessions !== null && metrics.entered_sessions !== null
              ? `${fullCount(metrics.completed_sessions)} of ${fullCount(metrics.entered_sessions)} observed`
              : undefined
          }
        />
        <Figure
          label="Largest drop-off"
          value={fewest === null ? null : fewest.rate}
          format={percent}
          quality={rate_quality}
          not_defined={without_sessions}
          note={fewest === null ? undefined : `from step ${fewest.position - 1} to step ${fewest.position}`}
        />
      </Figures>
      <StateWords state={evidence_state} />
    </>
  )
}

export function StateWords({ state }: { state: Funnel['evidence_state'] }) {
  if (state === 'suppressed') return <Withheld />
  if (state === 'not_effective') {
    return <p className="text-ink2">This revision was not in force in the window. Choose another revision or window.</p>
  }
  if (state === 'unknown') {
    return (
      <p className="text-ink2">
        Nothing was collected while this revision was in force in this window, so every number is unknown, not zero.
      </p>
    )
  }
  return null
}

/** The floor comes from the site's own answers. */
function Withheld() {
  const site = useSiteId()
  const floor = useQuery(readQuery('getAnalyticsEvents', { site, window: '30d' })).data?.privacy_floor
  return (
    <p className="text-ink2">
      {floor === undefined
        ? 'Withheld: fewer sessions entered than the privacy floor of the site.'
        : `Withheld: under ${floor} sessions entered.`}
    </p>
  )
}
