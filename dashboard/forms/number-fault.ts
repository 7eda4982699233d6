import { fullCount } from '../words/numbers.ts'

/** What is wrong with a typed whole number: what was given, and what is allowed. */
export function wholeNumberFault(typed: string, lowest: number, highest: number): string | undefined {
  const is_allowed = /^\d+$/.test(typed.trim()) && Number(typed) >= lowest && Number(typed) <= highest
  if (is_allowed) return undefined
  const given = typed.trim() === '' ? 'Nothing is given' : `${JSON.stringify(typed)} is given`
  return `${given}; allowed is a whole number from ${fullCount(lowest)} to ${fullCount(highest)}.`
}
