import { CopyButton } from '../controls/copy-button.tsx'
import { middleCut, visibleText } from '../words/foreign-text.ts'

interface PathTextProps {
  host: string
  path: string
  /** The maximum length of the path, which is cut in its middle. */
  length?: number
  /** Whether it has the size of the text around it, such as a heading. */
  is_large?: boolean
}

export const REDACTED_NOTE = 'A part of this path was removed because it looks like a secret or personal data.'

/** A page as crawlers requested it, in full in the title. Left to right, also beside other scripts. */
export function PathText({ host, path, length = 72, is_large = false }: PathTextProps) {
  const parts = middleCut(path, length).split(/(:redacted)/)
  return (
    <bdi
      dir="ltr"
      title={`${visibleText(host)}${visibleText(path)}`}
      className={`font-mono [overflow-wrap:anywhere] ${is_large ? 'text-[0.94em] font-normal break-all' : 'text-code'} ${host === '' ? '' : 'max-tablet:flex max-tablet:flex-col-reverse'}`}
    >
      <span className="text-ink3">{visibleText(host)}</span>
      <span>
        {parts.map((part, index) =>
          part === ':redacted' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
            <mark key={index} title={REDACTED_NOTE} className="rounded-tag bg-sunken text-ink2">
              {part}
              <span className="sr-only">. {REDACTED_NOTE}</span>
            </mark>
          ) : (
            part
          ),
        )}
      </span>
    </bdi>
  )
}

/** Visible while the row is hovered or focused, and always on touch screens. */
export const RowCopy = ({ text }: { text: string }) => (
  <span className="relative z-10 -my-6 ml-2 inline-block shrink-0 align-middle whitespace-nowrap opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100">
    <CopyButton text={text} label="Copy the address" is_icon />
  </span>
)

/** The real link of a row; it spans the whole row. */
export const ROW_LINK = 'row-link hover:underline'
