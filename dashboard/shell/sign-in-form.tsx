import { type FormEvent, useId, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { TextField } from '../forms/text-field.tsx'
import { change } from '../read/client.ts'
import { Refusal } from '../read/refusal.ts'
import { refusalWords } from '../words/refusals.ts'

/**
 * Does not reveal whether address or password was wrong. Password managers and pasting work.
 * @param onSignedIn shown as a failure of signing in when it rejects.
 */
export function SignInForm({ onSignedIn }: { onSignedIn: () => void | Promise<void> }) {
  const [refused, setRefused] = useState<string | null>(null)
  const [is_sending, setSending] = useState(false)
  const [is_shown, setShown] = useState(false)
  const message_id = useId()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setSending(true)
    setRefused(null)
    try {
      await change('signIn', { email: String(form.get('email')), password: String(form.get('password')) })
      await onSignedIn()
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalWords(error) : 'This browser stopped the request. Try again.')
    } finally {
      setSending(false)
    }
  }
  return (
    <form onSubmit={submit} className="space-y-8" aria-describedby={message_id}>
      <TextField label="E-mail" name="email" type="email" autoComplete="username" is_required />
      <div className="space-y-3">
        <TextField
          label="Password"
          name="password"
          type={is_shown ? 'text' : 'password'}
          autoComplete="current-password"
          is_required
        />
        <label className="flex min-h-12 items-center gap-4 text-dense text-ink2">
          <input type="checkbox" checked={is_shown} onChange={() => setShown(!is_shown)} className="h-8 w-8" />
          Show password
        </label>
      </div>
      <p id={message_id} role="alert" className={refused === null ? 'sr-only' : 'text-dense text-bad'}>
        {refused}
      </p>
      <Button type="submit" kind="primary" className="w-full" aria-busy={is_sending}>
        {is_sending ? 'Signing in' : 'Sign in'}
      </Button>
    </form>
  )
}
