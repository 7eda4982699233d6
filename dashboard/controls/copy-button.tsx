import { useState } from 'react'
import { announce } from '../shell/announce.tsx'
import { Button, IconButton } from './button.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** Copies a text and announces it, or announces that the clipboard cannot be used. */
export function CopyButton({
  text,
  label = 'Copy',
  is_icon = false,
}: {
  text: string
  label?: string
  is_icon?: boolean
}) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce('Copied.')
      setTimeout(() => setCopied(false), 2_000)
    } catch {
      announce('This browser did not allow copying. Select the text and copy it.')
    }
  }
  const Icon = copied ? CheckIcon : CopyIcon
  if (is_icon) {
    return (
      <IconButton label={label} onClick={copy}>
        <Icon />
      </IconButton>
    )
  }
  return (
    <Button onClick={copy}>
      <Icon className="h-7 w-7" />
      {copied ? 'Copied' : label}
    </Button>
  )
}
