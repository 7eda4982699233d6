import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { ModalDialog } from '../forms/dialog.tsx'
import { TextField } from '../forms/text-field.tsx'
import { change } from '../read/client.ts'
import { answerPasswordQuestion } from '../read/password-question.ts'
import { sessionQuery } from '../read/queries.ts'
import { Refusal } from '../read/refusal.ts'
import { NO_PASSWORD_YET } from '../words/no-password.ts'
import { READ_FAILED, refusalWords } from '../words/refusals.ts'

/** Asks for the password over the page. Afterwards the refused call is repeated, and typed text is kept. */
export default function ConfirmPassword() {
  const { data: session } = useQuery(sessionQuery())
  const [refused, setRefused] = useState<string | undefined>(undefined)
  const [is_sending, setSending] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    setSending(true)
    try {
      await change('confirmPassword', { password })
      answerPasswordQuestion(true)
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalWords(error) : READ_FAILED)
      setSending(false)
    }
  }
  const leave = () => answerPasswordQuestion(false)
  return (
    <ModalDialog title="Confirm with your password" is_open onClose={leave}>
      {session?.user.email === null ? (
        <p className="text-ink2">{NO_PASSWORD_YET}</p>
      ) : (
        <form onSubmit={submit} className="space-y-8">
          <p className="text-ink2">
            This action needs your password again. You will not be asked again for ten minutes.
          </p>
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            error={refused}
            is_required
          />
          <div className="flex justify-end gap-6">
            <Button onClick={leave}>Cancel</Button>
            <Button type="submit" kind="primary" aria-busy={is_sending}>
              {is_sending ? 'Confirming' : 'Confirm'}
            </Button>
          </div>
        </form>
      )}
    </ModalDialog>
  )
}
