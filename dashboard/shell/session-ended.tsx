import { useQueryClient } from '@tanstack/react-query'
import { ModalDialog } from '../forms/dialog.tsx'
import { reportSessionEnded } from '../read/session-ended.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Sign-in over the page, which keeps its state and typed text. */
export default function SessionEnded() {
  const queries = useQueryClient()
  return (
    <ModalDialog title="Sign in again" is_open>
      <p className="mb-8 text-ink2">Your session ended. After you sign in, this page continues where it was.</p>
      <SignInForm
        onSignedIn={() => {
          reportSessionEnded(false)
          void queries.invalidateQueries()
        }}
      />
    </ModalDialog>
  )
}
