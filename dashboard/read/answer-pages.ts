import { infiniteQueryOptions } from '@tanstack/react-query'
import { read } from './client.ts'
import type { ReadInput } from './operations.ts'

/** Answers page by page: the service names the next one by a cursor. */
export const answerPages = (input: ReadInput<'listAnswers'>) =>
  infiniteQueryOptions({
    queryKey: ['listAnswers', input, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      read('listAnswers', pageParam === null ? input : { ...input, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
