/**
 * The command line is wrong wherever it is run: exit code 2, unlike what an installation refuses (decisions 1). Thrown
 * by readers of values, and where options contradict each other.
 */
import { Refusal } from '#refusal.ts'
import { wordsOf } from '#surfaces/step-words.ts'

export class BadUsage extends Error {}

/** Reads a value as the service will judge it; its refusal is bad usage here. */
export function judgedBy<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text)
    } catch (error) {
      throw error instanceof Refusal ? new BadUsage(wordsOf(error)) : error
    }
  }
}
