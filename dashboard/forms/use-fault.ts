import { type InputEvent, type InvalidEvent, useState } from 'react'
import { afterPress } from './after-press.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * The error of a field, shown after it loses the focus, and updated with each change from then on. `fault` is the error
 * that the page found; the browser also checks the type of the field. Submitting the form shows all errors at once.
 */
export function useFault(fault: string | undefined) {
  const [found, setFound] = useState<string | undefined>(undefined)
  const [was_left, setLeft] = useState(false)
  return {
    shown: found ?? (was_left ? fault : undefined),
    onInvalid(event: InvalidEvent<Field>) {
      event.preventDefault()
      const { form, validationMessage } = event.currentTarget
      setLeft(true)
      setFound(validationMessage)
      if (form?.querySelector('input:invalid, textarea:invalid') === event.currentTarget) event.currentTarget.focus()
    },
    onInput({ currentTarget }: InputEvent<Field>) {
      if (was_left) setFound(currentTarget.validationMessage || undefined)
    },
    onBlur({ currentTarget }: { currentTarget: Field }) {
      afterPress(() => {
        // The field is gone, because the click closed the dialog: there is nowhere to show an error.
        if (!currentTarget.isConnected) return
        setLeft(true)
        setFound(currentTarget.validationMessage || undefined)
      })
    },
  }
}
