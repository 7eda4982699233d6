import type { BrandAnswer } from '../../../src/contract/account-api/answers.ts'
import { visibleText } from '../../words/foreign-text.ts'

type Mention = BrandAnswer['mentions'][number]

export interface TextPart {
  text: string
  mention: Mention | null
}

/**
 * The text in parts, with the first occurrence of each mention marked. Offsets are UTF-16 units. If the text has
 * another spelling of the name, the mark ends at the end of the word.
 */
export function partsOf(text: string, mentions: readonly Mention[]): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  for (const mention of mentions.toSorted((a, b) => a.offset - b.offset)) {
    if (mention.offset < at || mention.offset >= text.length) continue
    const end = mention.offset + lengthAt(text, mention)
    if (mention.offset > at) parts.push({ text: text.slice(at, mention.offset), mention: null })
    parts.push({ text: text.slice(mention.offset, end), mention })
    at = end
  }
  if (at < text.length) parts.push({ text: text.slice(at), mention: null })
  return parts
}

function lengthAt(text: string, { offset, name }: Mention): number {
  if (text.slice(offset, offset + name.length).toLowerCase() === name.toLowerCase()) return name.length
  return /^[^\s,;:!?()[\]"]+/.exec(text.slice(offset))?.[0].length ?? 1
}

/** Foreign text, unchanged and with its line breaks, never as markup. */
export const MarkedText = ({ text, mentions }: { text: string; mentions: readonly Mention[] }) => (
  <p dir="auto" className="max-h-300 overflow-y-auto rounded-control bg-sunken p-6 whitespace-pre-wrap">
    {partsOf(text, mentions).map((part, index) => {
      const shown = part.text.split('\n').map(visibleText).join('\n')
      return part.mention === null ? (
        shown
      ) : (
        <mark
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key
          key={index}
          className={`rounded-tag px-1 ${part.mention.is_own ? 'bg-ink text-panel' : 'border border-control bg-panel text-ink'}`}
        >
          {shown}
          <span className="sr-only">{part.mention.is_own ? ' (the brand)' : ' (a competitor)'}</span>
        </mark>
      )
    })}
  </p>
)
