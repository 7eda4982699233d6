import { Refusal } from '../read/refusal.ts'
import { refusalWords } from '../words/refusals.ts'

/** What the service refused, in its words; nothing while nothing was refused. */
export const FormError = ({ error }: { error: Error | null }) =>
  error === null ? null : (
    <p role="alert" className="text-dense text-bad first-letter:uppercase">
      {error instanceof Refusal ? refusalWords(error) : error.message}
    </p>
  )
