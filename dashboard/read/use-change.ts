import { useMutation, useQueryClient } from '@tanstack/react-query'
import { change } from './client.ts'
import type { ChangeId, Changes, ReadId } from './operations.ts'

interface UseChangeOptions<Id extends ChangeId> {
  /** Reads that depend on the change; they are repeated. */
  changes?: readonly (ReadId | ChangeId)[]
  onDone?: (answer: Changes[Id]['output'], input: Changes[Id]['input']) => void
}

/** An operation that a button or form calls, with its state, answer and refusal. */
export function useChange<Id extends ChangeId>(id: Id, { changes = [], onDone }: UseChangeOptions<Id> = {}) {
  const queries = useQueryClient()
  return useMutation<Changes[Id]['output'], Error, Changes[Id]['input']>({
    mutationFn: (input) => change(id, input),
    networkMode: 'always',
    onSuccess: async (answer, input) => {
      await Promise.all(changes.map((changed) => queries.invalidateQueries({ queryKey: [changed] })))
      onDone?.(answer, input)
    },
  })
}
