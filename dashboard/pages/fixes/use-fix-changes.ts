import type { Fix } from '../../../src/contract/account-api/fixes.ts'
import { isRefusal } from '../../read/refusal.ts'
import { useChange } from '../../read/use-change.ts'
import { useReread } from '../../read/use-reread.ts'
import { announce } from '../../shell/announce.tsx'

const CHANGES = ['listFixes'] as const
const CHANGED_BY_OTHERS = 'Another person has changed this fix. This is its current state.'

/** The changes of a fix as it is shown. If another person has changed it meanwhile, it is read again. */
export function useFixChanges(brand: string, { id, version }: Fix) {
  const options = { changes: CHANGES }
  const accept = useChange('acceptFix', options)
  const complete = useChange('completeFix', options)
  const dismiss = useChange('dismissFix', options)
  const reopen = useChange('fix.reopen', options)
  const remove = useChange('fix.remove', options)
  const reread = useReread('listFixes')
  const error = accept.error ?? complete.error ?? dismiss.error ?? reopen.error ?? remove.error
  const shown = { brandId: brand, id, version }
  const managed = { brand, fix: id, version }
  const announcing = (message: string) => ({
    onError: (refused: Error) => isRefusal(refused, 409) && reread(),
    onSuccess: () => announce(message),
  })
  return {
    is_busy: [accept, complete, dismiss, reopen, remove].some(({ isPending }) => isPending),
    error: error !== null && isRefusal(error, 409) ? new Error(CHANGED_BY_OTHERS) : error,
    accept: () => accept.mutate(shown, announcing('Accepted. It is now among the accepted fixes.')),
    complete: () => complete.mutate(shown, announcing('Completed. Later evidence shows whether it helped.')),
    dismiss: (reason: string) =>
      dismiss.mutate({ ...shown, ...(reason === '' ? {} : { reason }) }, announcing('Dismissed.')),
    reopen: () => reopen.mutate(managed, announcing('Reopened.')),
    remove: () => remove.mutate(managed, announcing('Deleted.')),
  }
}
