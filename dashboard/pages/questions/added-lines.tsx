import type { AddedQuestions } from '../../../src/contract/account-api/index.ts'
import { Button } from '../../controls/button.tsx'
import { CheckIcon, WarningIcon } from '../../controls/icons.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'

interface AddedLinesProps {
  brand: string
  /** As they were sent. */
  lines: readonly string[]
  answer: AddedQuestions
}

/** The result of each line: added, existing, or over the limit. */
export function AddedLines({ brand, lines, answer: { created, rejected } }: AddedLinesProps) {
  const restore = useChange('restoreQuestion', {
    changes: ['listQuestions', 'getPlan'],
    onDone: () => announce('Restored. It is asked again.'),
  })
  return (
    <section aria-label="Result" role="status" className="space-y-4 border-t border-line pt-8">
      <p className="font-strong">
        {counted(created.length, 'question')} added
        {rejected.length > 0 && `, ${rejected.length} not added`}.
      </p>
      <ol className="space-y-3 text-dense">
        {lines.map((line, index) => {
          const refused = rejected.find((one) => one.index === index)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same line may occur twice
            <li key={index} className="flex items-start gap-5">
              {refused === undefined ? (
                <CheckIcon className="mt-1 h-7 w-7 text-ok" />
              ) : (
                <WarningIcon className="mt-1 h-7 w-7 text-warn" />
              )}
              <span className="min-w-0 flex-1">
                {shortText(line)}
                <span className="block text-small text-ink2">
                  {refused === undefined ? 'Added.' : rejectedWords(refused)}
                </span>
              </span>
              {refused?.existing_id != null && (
                <Button
                  kind="quiet"
                  aria-busy={restore.isPending}
                  onClick={() => restore.mutate({ brandId: brand, id: String(refused.existing_id) })}
                >
                  Restore it
                </Button>
              )}
            </li>
          )
        })}
      </ol>
      <FormError error={restore.error} />
    </section>
  )
}

type Rejected = AddedQuestions['rejected'][number]

export const rejectedWords = ({ code, message }: Pick<Rejected, 'code' | 'message'>): string =>
  code === 'limit_reached' ? `Not added: ${message} Archive one first.` : `Not added: ${message}`
