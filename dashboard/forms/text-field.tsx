import { type HTMLInputTypeAttribute, type InputEvent, type InvalidEvent, type ReactNode, useId, useState } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text } from 'react-aria-components'

interface TextFieldProps {
  label: string
  name?: string
  help?: ReactNode
  /** What is wrong: what was given and what is allowed, in the service's words. */
  error?: string | undefined
  type?: HTMLInputTypeAttribute
  autoComplete?: string
  value?: string
  default_value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
  is_required?: boolean
  is_mono?: boolean
}

/**
 * Label above, help and error below; nothing typed is lost when the service refuses it. What the browser finds wrong at
 * submitting stands below as well, and goes while it is put right: an error that went when the field is left would move
 * the button from under the pointer.
 */
export function TextField({
  label,
  name,
  help,
  error,
  type = 'text',
  autoComplete,
  value,
  default_value,
  onChange,
  onBlur,
  is_required = false,
  is_mono = false,
}: TextFieldProps) {
  const id = useId()
  const [found, setFound] = useState<string | undefined>(undefined)
  const shown = error ?? found
  const onInvalid = (event: InvalidEvent<HTMLInputElement>) => {
    event.preventDefault()
    setFound(event.currentTarget.validationMessage)
    if (event.currentTarget.form?.querySelector('input:invalid, textarea:invalid') === event.currentTarget) {
      event.currentTarget.focus()
    }
  }
  const onInput = ({ currentTarget }: InputEvent<HTMLInputElement>) => {
    if (found !== undefined) setFound(currentTarget.validationMessage || undefined)
  }
  return (
    <AriaTextField
      id={id}
      type={type}
      isRequired={is_required}
      validationBehavior="aria"
      isInvalid={shown !== undefined}
      className="block space-y-2"
      {...(name === undefined ? {} : { name })}
      {...(value === undefined ? {} : { value })}
      {...(default_value === undefined ? {} : { defaultValue: default_value })}
      {...(onChange === undefined ? {} : { onChange })}
      {...(onBlur === undefined ? {} : { onBlur })}
      {...(autoComplete === undefined ? {} : { autoComplete })}
    >
      <Label className="block text-dense font-medium">{label}</Label>
      <Input
        required={is_required}
        onInvalid={onInvalid}
        onInput={onInput}
        className={`field ${is_mono ? 'font-mono text-code' : ''} data-[invalid]:border-bad`}
      />
      {help !== undefined && (
        <Text slot="description" className="block text-small text-ink2">
          {help}
        </Text>
      )}
      <FieldError className="block text-small text-bad">{shown}</FieldError>
    </AriaTextField>
  )
}
