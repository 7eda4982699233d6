import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react'
import { TextField as AriaTextField, FieldError, Input, Label, Text } from 'react-aria-components'
import { useFault } from './use-fault.ts'

interface TextFieldProps {
  label: string
  name?: string
  help?: ReactNode
  /** An error that the service reported: what is wrong and what is allowed. */
  error?: string | undefined
  /** An error that the page found, shown after the field loses the focus. */
  fault?: string | undefined
  type?: HTMLInputTypeAttribute
  autoComplete?: string
  value?: string
  default_value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
  is_required?: boolean
  is_mono?: boolean
}

/** Label above, help and error below; nothing typed is lost when the service refuses it. */
export function TextField({
  label,
  name,
  help,
  error,
  fault,
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
  const { shown: found, ...handlers } = useFault(fault)
  const shown = error ?? found
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
        {...handlers}
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
