import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { change } from '../../read/client.ts'
import { Refusal } from '../../read/refusal.ts'
import { EntryPage } from '../../shell/entry-page.tsx'
import { Loading } from '../../states/async.tsx'
import { instantText } from '../../words/days.ts'
import { refusalWords } from '../../words/refusals.ts'

/** Chooses a password by a one-time link, and signs in where that is safe. */
export function WelcomePage() {
  const hash = useLocation({ select: (location) => location.hash })
  const [token] = useState(hash)
  const link = useQuery({
    queryKey: ['findLink', token],
    queryFn: () => change('findLink', { token }),
    enabled: token !== '',
    retry: false,
  })
  useEffect(() => {
    document.title = 'Choose a password · Spoor'
    // Removes the link from the address bar and the history.
    history.replaceState(history.state, '', location.pathname)
  }, [])
  return (
    <EntryPage title="Choose a password">
      {token === '' || link.error !== null ? (
        <p className="text-ink2">{linkWords(link.error)}</p>
      ) : (
        <Opened token={token} link={link.data} />
      )}
    </EntryPage>
  )
}

/** The form of a link; `link` is undefined while it is read. */
function Opened({ token, link }: { token: string; link: { email: string | null; expires_at: string } | undefined }) {
  if (link !== undefined) return <PasswordForm token={token} email={link.email} expires_at={link.expires_at} />
  return (
    <Loading>
      <span className="skeleton block h-60" />
    </Loading>
  )
}

function linkWords(error: Error | null): string {
  if (error instanceof Refusal && error.status !== 404) return refusalWords(error)
  return 'This link was used or is older than 24 hours. Ask for a new one.'
}

function PasswordForm({ token, email, expires_at }: { token: string; email: string | null; expires_at: string }) {
  const queries = useQueryClient()
  const router = useRouter()
  const [refused, setRefused] = useState<string | null>(null)
  const [is_shown, setShown] = useState(false)
  const [is_sending, setSending] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setRefused(null)
    setSending(true)
    try {
      const chosen = await change('choosePassword', {
        token,
        password: String(form.get('password')),
        ...(email === null ? { email: String(form.get('email')) } : {}),
      })
      queries.clear()
      router.history.push(chosen.is_signed_in ? '/' : '/sign-in')
    } catch (error) {
      setRefused(error instanceof Refusal ? refusalWords(error) : String(error))
      setSending(false)
    }
  }
  return (
    <form onSubmit={submit} className="space-y-8">
      {email === null ? (
        <TextField label="E-mail" name="email" type="email" autoComplete="username" is_required />
      ) : (
        <p>
          For <strong className="font-strong">{email}</strong>
          <input type="hidden" name="username" autoComplete="username" value={email} />
        </p>
      )}
      <TextField
        label="Password"
        name="password"
        type={is_shown ? 'text' : 'password'}
        autoComplete="new-password"
        help="12 to 200 characters."
        is_required
      />
      <label className="flex min-h-12 items-center gap-4 text-dense text-ink2">
        <input type="checkbox" checked={is_shown} onChange={() => setShown(!is_shown)} className="h-8 w-8" />
        Show password
      </label>
      <p role="alert" className={refused === null ? 'sr-only' : 'text-dense text-bad'}>
        {refused}
      </p>
      <Button type="submit" kind="primary" className="w-full" aria-busy={is_sending}>
        Choose this password
      </Button>
      <p className="text-small text-ink3">The link is valid until {instantText(expires_at)} UTC and works once.</p>
    </form>
  )
}
