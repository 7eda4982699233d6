/**
 * The command line is wrong wherever it is run: exit code 2, unlike what an installation refuses (decisions 1). Thrown
 * by readers of values, and where options contradict each other.
 */
import { Refusal } from '#refusal.ts'
import { wordsOf } from '#surfaces/step-words.ts'

export class BadUsage extends Error {}

/** Reads what is given as the service will judge it; its refusal is bad usage here. */
export function judgedBy<Given, T>(read: (given: Given) => T): (given: Given) => T {
  return (given) => {
    try {
      return read(given)
    } catch (error) {
      throw error instanceof Refusal ? new BadUsage(wordsOf(error)) : error
    }
  }
}
