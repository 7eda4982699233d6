import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BrandQuestion } from '../../../src/contract/account-api/questions.ts'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'

const CHANGES = ['listQuestions', 'getPlan', 'getBrandReport'] as const
/** Archives with undo, restores, and deletes after typing a confirmation; `error` is the last refusal. */
export function useQuestionActions(brand: string) {
  const archive = useChange('archiveQuestion', { changes: CHANGES })
  const restore = useChange('restoreQuestion', { changes: CHANGES })
  const remove = useChange('question.remove', { changes: [...CHANGES, 'listAnswers', 'getUrlReport', 'listFixes'] })
  const [removed, setRemoved] = useState<BrandQuestion | null>(null)
  const contents = useQuery({
    ...readQuery('question.contents', { brand, question: removed === null ? '' : removed.id }),
    enabled: removed !== null,
  }).data
  const onRestore = ({ id }: BrandQuestion) =>
    restore.mutate({ brandId: brand, id }, { onSuccess: () => announce('Restored. It is asked again.') })
  const onArchive = (question: BrandQuestion) =>
    archive.mutate(
      { brandId: brand, id: question.id },
      {
        onSuccess: () =>
          announce('Archived. Its answers are kept.', { label: 'Undo', onAct: () => onRestore(question) }),
      },
    )
  const dialog =
    removed === null ? null : (
      <ConfirmByTyping
        title="Delete the question"
        expected={removed.text}
        action="Delete the question"
        is_open
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          await remove.mutateAsync({ brand, question: removed.id, typed_name: removed.text })
          announce('Deleted, with its answers and fixes.')
        }}
      >
        <p>“{shortText(removed.text, 300)}”</p>
        <p className="mt-4">
          {contents === undefined
            ? 'Every answer to it and every fix about it'
            : `${counted(contents.answers, 'answer')} and ${counted(contents.fixes, 'fix', 'fixes')}`}{' '}
          will be deleted too, and removed from all reports. To keep them, archive the question instead.
        </p>
      </ConfirmByTyping>
    )
  return { onArchive, onRestore, onRemove: setRemoved, dialog, error: restore.error ?? archive.error }
}
