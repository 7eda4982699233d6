import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { EntryPage } from '../../shell/entry-page.tsx'
import { SignInForm } from '../../shell/sign-in-form.tsx'

export function SignInPage() {
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ strict: false }) as { next?: string }
  useEffect(() => {
    document.title = 'Sign in · Spoor'
  }, [])
  return (
    <EntryPage
      title="Sign in"
      foot={
        <>
          Forgot your password? An operator can print a link to choose a new one:{' '}
          <code className="font-mono">npx spoor user reset-link E-MAIL</code>
        </>
      }
    >
      <SignInForm
        onSignedIn={() => {
          queries.clear()
          router.history.push(next ?? '/')
        }}
      />
    </EntryPage>
  )
}
