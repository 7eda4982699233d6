import { useQueryClient } from '@tanstack/react-query'
import { ModalDialog } from '../forms/dialog.tsx'
import { sessionQuery } from '../read/queries.ts'
import { reportSessionBegun } from '../read/session-ended.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Sign-in over the page, which keeps its state and typed text for the same person. */
export default function SessionEnded() {
  const queries = useQueryClient()
  const continuePage = async () => {
    const former = queries.getQueryData(sessionQuery().queryKey)
    const current = await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 })
    // A new document, because the page and its cached answers belong to another person.
    if (former?.user.id !== current.user.id) return location.assign('/')
    reportSessionBegun()
    void queries.invalidateQueries()
  }
  return (
    <ModalDialog title="Sign in again" is_open>
      <p className="mb-8 text-ink2">Your session ended. After you sign in, this page continues where it was.</p>
      <SignInForm onSignedIn={continuePage} />
    </ModalDialog>
  )
}
