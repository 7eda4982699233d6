import { fullCount } from '../words/numbers.ts'

/** Why a typed whole number is not accepted, and what is allowed; undefined if it is accepted. */
export function wholeNumberFault(typed: string, lowest: number, highest: number): string | undefined {
  const is_allowed = /^\d+$/.test(typed.trim()) && Number(typed) >= lowest && Number(typed) <= highest
  if (is_allowed) return undefined
  const given = typed.trim() === '' ? 'The field is empty' : `${JSON.stringify(typed)} is not allowed`
  return `${given}; enter a whole number from ${fullCount(lowest)} to ${fullCount(highest)}.`
}
