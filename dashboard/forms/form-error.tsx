import { Refusal } from '../read/refusal.ts'
import { refusalWords } from '../words/refusals.ts'

/** What the service refused, in its words; nothing while nothing was refused. */
export const FormError = ({ error }: { error: Error | null }) => (
  <p role="alert" className={error === null ? 'sr-only' : 'text-dense text-bad'}>
    {error === null ? '' : error instanceof Refusal ? refusalWords(error) : error.message}
  </p>
)
