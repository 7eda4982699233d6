import { useMutation, useQueryClient } from '@tanstack/react-query'
import { change } from './client.ts'
import type { ChangeId, Changes, ReadId } from './operations.ts'

/** A change of the service; what it makes old is read again. */
export function useChange<Id extends ChangeId>(id: Id, outdated: readonly ReadId[] = []) {
  const queries = useQueryClient()
  return useMutation<Changes[Id]['output'], Error, Changes[Id]['input']>({
    mutationFn: (input) => change(id, input),
    onSuccess: async () => {
      await Promise.all(outdated.map((read) => queries.invalidateQueries({ queryKey: [read] })))
    },
  })
}
