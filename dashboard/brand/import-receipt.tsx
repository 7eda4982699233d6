import { ShareBar } from '../charts/share-bar.tsx'
import { shortText } from '../words/foreign-text.ts'
import { counted, fullCount } from '../words/numbers.ts'

interface ImportReceiptProps {
  /** "answer", "row" */
  what: string
  records: number
  stored: number
  replaced: number
  duplicates: number
  refused: readonly { place: number; code: string; message: string }[]
  /** More sentences about the result. */
  further?: readonly string[]
}

const MAX_REFUSED = 20

/** The result of an import. Every record of the file is in one of its parts. */
export function ImportReceipt({
  what,
  records,
  stored,
  replaced,
  duplicates,
  refused,
  further = [],
}: ImportReceiptProps) {
  const parts = [
    { key: 'stored', label: 'stored', count: stored, color: 'var(--color-series)' },
    { key: 'replaced', label: 'replaced', count: replaced, color: 'var(--color-3xx)' },
    { key: 'duplicates', label: 'already stored', count: duplicates, color: 'var(--color-undeclared)' },
    { key: 'refused', label: 'refused', count: refused.length, color: 'var(--color-bad)' },
  ]
  const words = parts.map(({ label, count }) => `${fullCount(count)} ${label}`).join(', ')
  return (
    <section aria-label="Receipt" role="status" className="space-y-5 border-t border-line pt-8">
      <p className="font-strong">
        Read {counted(records, what)}: {words}.
      </p>
      <ShareBar parts={parts} label={words} />
      {further.map((sentence) => (
        <p key={sentence} className="text-ink2">
          {sentence}
        </p>
      ))}
      {refused.length > 0 && (
        <ul className="space-y-2 text-small text-ink2">
          {refused.slice(0, MAX_REFUSED).map(({ place, code, message }) => (
            <li key={`${place} ${code} ${message}`}>
              <span className="font-medium">{fullCount(place)}:</span> {shortText(message, 200)}
            </li>
          ))}
          {refused.length > MAX_REFUSED && <li>and {fullCount(refused.length - MAX_REFUSED)} more</li>}
        </ul>
      )}
    </section>
  )
}
