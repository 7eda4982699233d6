/**
 * The command line is wrong for every installation: exit code 2, unlike refusals of an installation (decisions 1).
 * Thrown by readers of values, and if options contradict each other.
 */
import { Refusal } from '#refusal.ts'
import { wordsOf } from '#surfaces/step-words.ts'

export class BadUsage extends Error {}

/** Checks a value with the service's own check, whose refusal is bad usage here. */
export function judgedBy<Given, T>(read: (given: Given) => T): (given: Given) => T {
  return (given) => {
    try {
      return read(given)
    } catch (error) {
      throw error instanceof Refusal ? new BadUsage(wordsOf(error)) : error
    }
  }
}
