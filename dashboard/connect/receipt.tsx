import { Mark } from '../charts/mark.tsx'
import { ShareBar } from '../charts/share-bar.tsx'
import { WarningIcon } from '../controls/icons.tsx'
import { PATTERN } from '../evidence/patterns.tsx'
import { Value } from '../evidence/value.tsx'
import type { Receipt } from '../read/upload.ts'
import { useCrawlerNames } from '../read/use-crawler-names.ts'
import { datedInstantText } from '../words/days.ts'
import { shortText, visibleText } from '../words/foreign-text.ts'
import { counted, fullCount, percent, secondsText } from '../words/numbers.ts'
import {
  bytesText,
  LINE_CLASS_WORDS,
  LINE_CLASSES,
  type LineClass,
  lineCounts,
  receiptSentence,
} from '../words/receipts.ts'

const LOOKS: Record<LineClass, { color: string; outline?: string; pattern?: string; mark: 'square' | 'hollow' }> = {
  stored: { color: 'var(--color-series)', mark: 'square' },
  human: { color: 'var(--color-3xx)', mark: 'square' },
  duplicates: { color: 'var(--color-panel)', outline: 'var(--color-series)', mark: 'hollow' },
  other_site: { color: 'var(--color-panel)', outline: 'var(--color-3xx)', mark: 'hollow' },
  ignored: { color: 'var(--color-panel)', outline: 'var(--color-hatch)', pattern: PATTERN.gap, mark: 'hollow' },
  malformed: { color: 'var(--color-bad)', mark: 'square' },
}
const MAX_NAMED = 6

/** The result of an import: the classes of its lines as one bar, what was found, and lines that could not be read. */
export function ReceiptBlock({ receipt }: { receipt: Receipt }) {
  const lines = lineCounts(receipt)
  const shown = LINE_CLASSES.filter((one) => lines[one] > 0)
  return (
    <div className="space-y-8">
      <p className="font-strong">{receiptSentence(receipt)}</p>
      <ShareBar
        label={`Lines by result: ${shown.map((one) => `${LINE_CLASS_WORDS[one].label} ${fullCount(lines[one])}`).join(', ')}`}
        height={12}
        parts={shown.map((one) => ({ key: one, label: LINE_CLASS_WORDS[one].label, count: lines[one], ...LOOKS[one] }))}
      />
      <ul>
        {shown.map((one) => (
          <li key={one} className="flex items-start gap-5 py-2 text-dense">
            <span className="mt-2">
              <Mark mark={LOOKS[one].mark} color={LOOKS[one].outline ?? LOOKS[one].color} />
            </span>
            <span className="mr-auto">
              {LINE_CLASS_WORDS[one].label}
              <span className="block text-small text-ink2">{LINE_CLASS_WORDS[one].about}</span>
            </span>
            <Value value={lines[one]} />
            <span className="w-29 text-right text-ink2">
              {receipt.lines > 0 && percent(lines[one] / receipt.lines)}
            </span>
          </li>
        ))}
      </ul>
      <Found receipt={receipt} />
      <Warnings receipt={receipt} />
      <Malformed receipt={receipt} />
    </div>
  )
}

function Found({ receipt }: { receipt: Receipt }) {
  const hosts = Object.entries(receipt.hosts)
  const other_hosts = Object.entries(receipt.other_hosts ?? {})
  const nameOf = useCrawlerNames()
  const crawlers = Object.entries(receipt.by_crawler).map(([id, count]) => [nameOf(id), count] as const)
  return (
    <dl className="grid gap-x-8 gap-y-3 text-dense tablet:grid-cols-[auto_1fr] [&_dt]:text-ink3">
      <dt>Read</dt>
      <dd>
        {bytesText(receipt.bytes)} in {receipt.seconds < 0.5 ? 'under 1 s' : secondsText(receipt.seconds)}
      </dd>
      {receipt.from !== null && receipt.to !== null && (
        <>
          <dt>Period of the lines</dt>
          <dd>
            {datedInstantText(receipt.from)} – {datedInstantText(receipt.to)} UTC
          </dd>
        </>
      )}
      {hosts.length > 0 && (
        <>
          <dt>Hosts</dt>
          <dd className="font-mono text-code">{named(hosts)}</dd>
        </>
      )}
      {other_hosts.length > 0 && (
        <>
          <dt>Other hosts</dt>
          <dd className="font-mono text-code">{named(other_hosts)}</dd>
        </>
      )}
      <dt>Crawlers counted</dt>
      <dd>{crawlers.length === 0 ? 'None that the registry knows.' : named(crawlers)}</dd>
      {receipt.automated_unlabelled > 0 && (
        <>
          <dt>Without a label</dt>
          <dd>
            {counted(receipt.automated_unlabelled, 'request')} of programs that the registry does not know yet; a newer
            registry can label them.
          </dd>
        </>
      )}
    </dl>
  )
}

function named(counts: readonly (readonly [string, number])[]): string {
  const texts = counts.slice(0, MAX_NAMED).map(([name, count]) => `${visibleText(name)} ${fullCount(count)}`)
  return counts.length > MAX_NAMED ? `${texts.join(', ')} and ${counts.length - MAX_NAMED} more` : texts.join(', ')
}

const Warnings = ({ receipt }: { receipt: Receipt }) =>
  receipt.warnings.length === 0 ? null : (
    <ul className="space-y-3">
      {receipt.warnings.map(({ code, message }) => (
        <li
          key={`${code}${message}`}
          className="flex items-start gap-4 rounded-control bg-warn-bg px-6 py-4 text-dense"
        >
          <WarningIcon className="mt-1 h-7 w-7 text-warn" />
          {message}
        </li>
      ))}
    </ul>
  )

const Malformed = ({ receipt }: { receipt: Receipt }) =>
  receipt.malformed_samples.length === 0 ? null : (
    <details>
      <summary className="text-dense font-medium">
        {receipt.malformed_samples.length === receipt.malformed
          ? counted(receipt.malformed, 'line')
          : `${receipt.malformed_samples.length} of ${counted(receipt.malformed, 'line')}`}{' '}
        that could not be read
      </summary>
      <ul className="mt-3">
        {receipt.malformed_samples.map(({ line_number, reason, excerpt }) => (
          <li key={line_number} className="border-t border-line py-4 text-dense">
            Line {fullCount(line_number)}: <code className="font-mono text-code">{reason}</code>
            {excerpt !== undefined && (
              <code className="block font-mono text-code break-all text-ink2">{shortText(excerpt)}</code>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
