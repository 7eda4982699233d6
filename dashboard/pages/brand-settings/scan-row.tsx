import { SCAN_RUN_STATES } from '../../../src/contract/vocabulary.ts'
import { Badge } from '../../controls/badge.tsx'
import { engineName, failureWords } from '../../words/brand.ts'
import { instantText } from '../../words/days.ts'
import { counted, fullCount } from '../../words/numbers.ts'
import type { ScanList } from './scans-panel.tsx'

type Scan = ScanList['scans'][number]
type EngineRuns = Scan['engines'][number]

const STATES: Record<Scan['state'], { tone: 'ok' | 'warn' | 'plain'; word: string }> = {
  running: { tone: 'ok', word: 'Running' },
  ended: { tone: 'plain', word: 'Ended' },
  cancelled: { tone: 'warn', word: 'Cancelled' },
}

const RUN_WORDS: Record<(typeof SCAN_RUN_STATES)[number], string> = {
  waiting: 'waiting',
  asking: 'being asked',
  answered: 'answered',
  refused: 'refused',
  failed: 'failed',
  not_run: 'not asked',
}

/** "10 answered, 2 failed: the key was not accepted" */
export function engineRunWords(engine: EngineRuns): string {
  const states = SCAN_RUN_STATES.flatMap((state) =>
    engine[state] > 0 ? [`${fullCount(engine[state])} ${RUN_WORDS[state]}`] : [],
  )
  const codes = engine.codes.map(({ code, runs }) => `${failureWords(code)} (${counted(runs, 'run')})`)
  return `${states.join(', ') || 'nothing to ask'}${codes.length === 0 ? '' : `: ${codes.join(', ')}`}`
}

export const ScanRow = ({ scan }: { scan: Scan }) => (
  <li className="flex flex-wrap items-start gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6">
    <span className="w-100 shrink-0">
      <span className="block font-medium">{instantText(scan.started_at)} UTC</span>
      <span className="text-small text-ink3">{scan.cause === 'schedule' ? 'daily' : 'started by a person'}</span>
    </span>
    <Badge tone={STATES[scan.state]?.tone ?? 'plain'}>{STATES[scan.state]?.word ?? scan.state}</Badge>
    <ul className="min-w-0 flex-1 space-y-1 text-dense text-ink2 max-tablet:basis-full">
      {scan.engines.map((engine) => (
        <li key={engine.engine}>
          <span className="font-medium text-ink">{engineName(engine.engine)}</span> {engineRunWords(engine)}
        </li>
      ))}
      {scan.engines.length === 0 && <li>No engine could be asked.</li>}
    </ul>
  </li>
)
