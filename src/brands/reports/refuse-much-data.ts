import { formatCount } from '#quantities.ts'
import { InvalidRequest } from '../invalid-request.ts'

/** The most answers that one request may read (account API 1). */
export const MAX_ANSWERS_READ = 5_000_000

/** @throws InvalidRequest too_much_data. */
export function refuseMuchData(answers: number): void {
  if (answers <= MAX_ANSWERS_READ) return
  throw new InvalidRequest([
    {
      path: ['from'],
      code: 'too_much_data',
      message:
        `These filters leave ${formatCount(answers)} answers; at most ${formatCount(MAX_ANSWERS_READ)} are read at once. ` +
        'Ask for fewer days, for some engines, or for one question.',
    },
  ])
}
