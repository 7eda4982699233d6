import { Refusal } from '../read/refusal.ts'
import { refusalWords } from '../words/refusals.ts'

/** What the service refused, in its words; nothing while nothing was refused. */
export const FormError = ({ error }: { error: Error | null }) =>
  error === null ? null : (
    <p role="alert" className="text-dense text-bad">
      {sentence(error instanceof Refusal ? refusalWords(error) : error.message)}
    </p>
  )

/** Begins with a capital, but for what it quotes: that stands as it was given. */
const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1)
