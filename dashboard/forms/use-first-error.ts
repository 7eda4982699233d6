import { useEffect, useRef, useState } from 'react'

/** After a refused submit, the focus moves to the first field with an error, or to the error message. */
export function useFirstError<Form extends HTMLElement>() {
  const form = useRef<Form>(null)
  const [refused_count, setRefusedCount] = useState(0)
  useEffect(() => {
    if (refused_count > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus()
  }, [refused_count])
  return { form, focusFirstError: () => setRefusedCount((count) => count + 1) }
}
