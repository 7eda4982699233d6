import type { Purpose } from '../../src/contract/vocabulary.ts'
import { PURPOSE_COLORS } from '../words/purposes.ts'
import type { Series } from './series.ts'

export const PURPOSE_MARKS: Record<Purpose, Series['mark']> = {
  search: 'square',
  assistant: 'disc',
  training: 'diamond',
  unknown: 'hollow',
}

type Look = Pick<Series, 'mark' | 'color' | 'pattern' | 'outline'>

/** The small mark of a series in legends, chips and tables: shape and colour say the same. */
export const Mark = (look: Look) => (
  <svg aria-hidden="true" viewBox="0 0 10 10" className="h-5 w-5 shrink-0">
    <Shape {...look} />
  </svg>
)

function Shape({ mark, color, pattern, outline }: Look) {
  if (pattern !== undefined || outline !== undefined) {
    return (
      <rect
        x=".6"
        y=".6"
        width="8.8"
        height="8.8"
        rx="1"
        fill={pattern ?? color}
        stroke={outline ?? 'var(--color-ink2)'}
        strokeWidth="1.2"
      />
    )
  }
  if (mark === 'disc') return <circle cx="5" cy="5" r="5" fill={color} />
  if (mark === 'diamond') return <path d="M5 0l5 5-5 5-5-5z" fill={color} />
  if (mark === 'hollow') {
    return <rect x="1.2" y="1.2" width="7.6" height="7.6" rx="1" fill="none" stroke={color} strokeWidth="2.4" />
  }
  return <rect width="10" height="10" rx="1.5" fill={color} />
}

/** The mark of one part of a chart. */
export const SeriesMark = ({ series: { key: _key, ...look } }: { series: Series }) => <Mark {...look} />

export const PurposeMark = ({ purpose }: { purpose: Purpose }) => (
  <Mark mark={PURPOSE_MARKS[purpose] ?? 'hollow'} color={PURPOSE_COLORS[purpose] ?? 'var(--color-undeclared)'} />
)
