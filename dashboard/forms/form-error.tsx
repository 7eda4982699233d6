import { Refusal } from '../read/refusal.ts'
import { refusalWords } from '../words/refusals.ts'

/** The refusal of the service, in its words; hidden without one. */
export const FormError = ({ error }: { error: Error | null }) =>
  error === null ? null : (
    <p role="alert" className="text-dense text-bad">
      {failureText(error)}
    </p>
  )

/** Why a change failed, as a sentence. */
export function failureText(error: unknown): string {
  if (error instanceof Refusal) return sentence(refusalWords(error))
  return sentence(error instanceof Error ? error.message : String(error))
}

/** The text with a capital at its start, unless it starts with a quotation. */
const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)
