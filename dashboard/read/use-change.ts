import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { change } from './client.ts'
import type { ChangeId, Changes, ReadId } from './operations.ts'

interface UseChangeOptions<Id extends ChangeId> {
  /** Reads that depend on the change; they are repeated. */
  changes?: readonly (ReadId | ChangeId)[]
  onDone?: (answer: Changes[Id]['output'], input: Changes[Id]['input']) => void
}

type Change<Id extends ChangeId> = UseMutationResult<Changes[Id]['output'], Error, Changes[Id]['input']>

/**
 * An operation that a button or form calls, with its state, answer and refusal. While it waits, `mutate` ignores the
 * same input: a second press would do it twice, and a secret that the first one created would never be shown.
 */
export function useChange<Id extends ChangeId>(
  id: Id,
  { changes = [], onDone }: UseChangeOptions<Id> = {},
): Change<Id> {
  const queries = useQueryClient()
  const waiting = useRef(new Set<string>())
  const mutation: Change<Id> = useMutation({
    mutationFn: (input: Changes[Id]['input']) => change(id, input),
    networkMode: 'always',
    onSuccess: async (answer, input) => {
      await Promise.all(changes.map((changed) => queries.invalidateQueries({ queryKey: [changed] })))
      onDone?.(answer, input)
    },
    onSettled: (_answer, _error, input) => void waiting.current.delete(JSON.stringify(input)),
  })
  const mutate: Change<Id>['mutate'] = (...given) => {
    const key = JSON.stringify(given[0])
    if (waiting.current.has(key)) return
    waiting.current.add(key)
    mutation.mutate(...given)
  }
  return { ...mutation, mutate }
}
