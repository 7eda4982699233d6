import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Announcements } from '../../shell/announce.tsx'
import { Logo } from '../../shell/logo.tsx'
import { SignInForm } from '../../shell/sign-in-form.tsx'

export function SignInPage() {
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  useEffect(() => {
    document.title = 'Sign in · Spoor'
  }, [])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-200 flex-col justify-center gap-12 p-8">
      <Logo />
      <div className="panel p-12">
        <h1 className="mb-8 text-page font-strong">Sign in</h1>
        <SignInForm
          onSignedIn={() => {
            queries.clear()
            router.history.push(next ?? '/')
          }}
        />
      </div>
      <p className="text-small text-ink3">
        A forgotten password is renewed by an operator:{' '}
        <code className="font-mono">npx spoor user reset-link E-MAIL</code> prints a link to choose a new one.
      </p>
      <Announcements />
    </main>
  )
}
