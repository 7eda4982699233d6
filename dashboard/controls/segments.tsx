import { Link, useNavigate } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import type { Search } from '../read/search.ts'
import { usePressed } from './use-pressed.ts'

interface SegmentsProps {
  label: string
  items: readonly { key: string; label: string; search: Search }[]
  current: string
  /** Over the whole width on phones. */
  is_wide?: boolean
  replace?: boolean
  /** Whether the keys 1, 2, … press them. */
  has_keys?: boolean
}

/** One of a few options, as links: the address has the choice, so that back, reload and sharing work. */
export function Segments({ label, items, current, is_wide = false, replace = false, has_keys = false }: SegmentsProps) {
  const navigate = useNavigate()
  const [shown, press] = usePressed(current)
  const onClick = (event: MouseEvent, key: string, search: Search) => {
    // The browser opens other tabs and windows.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    press(key, () => void navigate({ to: '.', search: search as never, replace, resetScroll: false }))
  }
  return (
    <nav
      aria-label={label}
      className={`inline-flex max-w-full flex-wrap rounded-control border border-line bg-panel p-1 ${is_wide ? 'max-tablet:flex max-tablet:w-full' : ''}`}
    >
      {items.map(({ key, label: text, search }, index) => {
        const target = { to: '.', search } as unknown as ComponentProps<typeof Link>
        return (
          <Link
            key={key}
            {...target}
            replace={replace}
            resetScroll={false}
            {...(has_keys ? { 'data-key': String(index + 1) } : {})}
            onClick={(event) => onClick(event, key, search)}
            aria-current={key === shown ? 'true' : undefined}
            className={`flex min-h-13 items-center justify-center rounded-tag px-5 text-dense whitespace-nowrap max-tablet:min-h-17 touch:min-h-22 ${is_wide ? 'max-tablet:flex-1 max-tablet:px-1' : ''} ${
              key === shown ? 'bg-sunken font-strong text-ink' : 'text-ink2 hover:text-ink'
            }`}
          >
            {text}
          </Link>
        )
      })}
    </nav>
  )
}
