import { ChevronIcon } from './icons.tsx'
import { type OpeningButton, openedLater } from './opened-later.tsx'

export interface CheckMenuProps {
  /** What is chosen, in words: "5 engines". */
  text: string
  label: string
  options: readonly { key: string; label: string }[]
  chosen: readonly string[]
  /** Never empty: the last one stays chosen. */
  onChoose: (keys: string[]) => void
}

/** A menu with multiple choices, which stays open while they are changed. */
export const CheckMenu = openedLater(
  ({ text, label, button }: CheckMenuProps & { button: OpeningButton }) => (
    <button
      {...button}
      className="control max-tablet:justify-between"
      aria-label={`${label}: ${text}`}
      aria-haspopup="menu"
    >
      {text}
      <ChevronIcon className="h-7 w-7" />
    </button>
  ),
  () => import('./check-list.tsx'),
)
