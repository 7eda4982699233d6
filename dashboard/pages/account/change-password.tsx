import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { counted } from '../../words/numbers.ts'

/** The current password, then the new one. All other browsers are signed out. */
export function ChangePassword({ email }: { email: string | null }) {
  const [password, setPassword] = useState('')
  const [new_password, setNewPassword] = useState('')
  const save = useChange('changePassword', {
    changes: ['listSessions'],
    onDone: ({ ended_sessions }) => {
      setPassword('')
      setNewPassword('')
      announce(
        ended_sessions === 0
          ? 'The password was changed.'
          : `The password was changed, and ${counted(ended_sessions, 'other browser')} signed out.`,
      )
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ password, new_password })
  }
  return (
    <form onSubmit={submit} className="max-w-160 space-y-6">
      {/* For password managers, which store address and password together. */}
      {email !== null && <input type="hidden" name="username" autoComplete="username" value={email} />}
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        is_required
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        help="12 to 200 characters. All other browsers are signed out."
        value={new_password}
        onChange={setNewPassword}
        is_required
      />
      <FormError error={save.error} />
      <Button type="submit" aria-busy={save.isPending}>
        Change the password
      </Button>
    </form>
  )
}
