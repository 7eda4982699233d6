import { STEP_KIND_WORDS } from '../../words/definitions.ts'
import { middleCut } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { countText, type FunnelBar } from './funnel-steps.ts'

/** The text below a column: its step, number and share. */
export function FunnelLabels({ one, x, y, characters }: { one: FunnelBar; x: number; y: number; characters: number }) {
  const is_page = one.kind === 'page'
  return (
    <g>
      <text x={x} y={y + 20} fontSize="12" fill="var(--color-ink3)">
        {one.position} · {STEP_KIND_WORDS[one.kind]}
      </text>
      <text
        x={x}
        y={y + 38}
        fontSize={is_page ? 12.5 : 13}
        fontWeight={is_page ? 400 : 620}
        fill="var(--color-ink)"
        style={is_page ? { fontFamily: 'var(--font-mono)' } : {}}
      >
        {middleCut(one.words, Math.max(8, characters))}
        <title>{`${one.note} ${one.words}`}</title>
      </text>
      <text x={x} y={y + 60} fontSize="17" fontWeight="620" fill="var(--color-ink)">
        {countText(one)}
      </text>
      <text x={x} y={y + 78} fontSize="12" fill="var(--color-ink2)">
        {shareWords(one)}
      </text>
    </g>
  )
}

function shareWords({ position, of_entered, quality }: FunnelBar): string {
  if (position === 1) return 'entered'
  if (of_entered !== null) return `${percent(of_entered)} of entered`
  return quality === 'suppressed' ? '' : 'share not defined'
}
