import { useEffect, useRef, useState } from 'react'

/** After a refused submit the focus goes to the first field that is wrong, or to the words that say what is. */
export function useFirstError<Form extends HTMLElement>() {
  const form = useRef<Form>(null)
  const [refused_count, setRefusedCount] = useState(0)
  useEffect(() => {
    if (refused_count > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]')?.focus()
  }, [refused_count])
  return { form, focusFirstError: () => setRefusedCount((count) => count + 1) }
}
