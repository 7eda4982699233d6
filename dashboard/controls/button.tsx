import type { ButtonHTMLAttributes, ReactNode, SyntheticEvent } from 'react'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'plain' | 'primary' | 'bad' | 'quiet'
  /** Why the button cannot be used; it stays readable and focusable. */
  forbidden?: string | undefined
}

const KINDS = {
  plain: 'control',
  primary: 'control border-ink bg-ink text-panel hover:bg-ink2',
  bad: 'control border-bad text-bad',
  quiet: 'control border-transparent bg-transparent',
} as const

/**
 * An action that a role does not permit is still shown, and says who can do it. A busy button takes no further press:
 * the same thing would be done twice.
 */
export function Button({ kind = 'plain', forbidden, className = '', onClick, type = 'button', ...props }: ButtonProps) {
  if (forbidden === undefined) {
    const act = props['aria-busy'] === true ? preventDefault : onClick
    return (
      <button type={type} className={`${KINDS[kind]} ${className}`} {...(act ? { onClick: act } : {})} {...props} />
    )
  }
  return (
    <button
      type={type}
      aria-disabled="true"
      title={forbidden}
      // Enter in a field presses the button that submits the form; without one, it would submit the form itself.
      onClick={preventDefault}
      className={`${KINDS[kind]} opacity-60 ${className}`}
      {...props}
    >
      {props.children}
      <span className="sr-only">. {forbidden}</span>
    </button>
  )
}

const preventDefault = (event: SyntheticEvent) => event.preventDefault()

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string
  children: ReactNode
}

/** A button that is only an icon; `label` is its name. */
export const IconButton = ({ label, children, className = '', ...props }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`inline-flex h-14 w-14 items-center justify-center rounded-control text-ink2 hover:bg-sunken touch:h-22 touch:w-22 ${className}`}
    {...props}
  >
    {children}
  </button>
)
