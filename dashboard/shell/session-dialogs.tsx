import { lazy, Suspense, useSyncExternalStore } from 'react'
import { isPasswordNeeded, onPasswordQuestion } from '../read/password-question.ts'
import { isSessionEnded, onSessionEnded } from '../read/session-ended.ts'

const ConfirmPassword = lazy(() => import('./confirm-password.tsx'))
const SessionEnded = lazy(() => import('./session-ended.tsx'))

/** Dialogs over a page that the session needs: the password again, or sign-in. */
export function SessionDialogs() {
  const is_password_needed = useSyncExternalStore(onPasswordQuestion, isPasswordNeeded, () => false)
  const is_ended = useSyncExternalStore(onSessionEnded, isSessionEnded, () => false)
  return (
    <Suspense>
      {is_password_needed && <ConfirmPassword />}
      {is_ended && <SessionEnded />}
    </Suspense>
  )
}
