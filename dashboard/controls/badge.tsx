import type { ReactNode } from 'react'

const TONES = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  bad: 'bg-bad-bg text-bad',
  plain: 'border border-line bg-panel text-ink',
} as const

/** A state as shape and word, so that it does not depend on colour alone. */
export const Badge = ({ tone = 'plain', children }: { tone?: keyof typeof TONES; children: ReactNode }) => (
  <span
    className={`inline-flex items-center gap-3 rounded-tag px-4 py-1 text-small whitespace-nowrap font-medium ${TONES[tone]}`}
  >
    {tone !== 'plain' && <span aria-hidden="true" className="h-4 w-4 rounded-full bg-current" />}
    {children}
  </span>
)
