import { type InputEvent, type InvalidEvent, useState } from 'react'
import { afterPress } from './after-press.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * What is wrong with a field: said when it is left, and from then on with each change. `fault` is what the page finds,
 * beside what the browser finds by the type of the field. Submitting says all of it at once.
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
        // The press closed the dialog, so there is no error to show.
        if (!currentTarget.isConnected) return
        setLeft(true)
        setFound(currentTarget.validationMessage || undefined)
      })
    },
  }
}
