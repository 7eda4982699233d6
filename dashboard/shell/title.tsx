import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'

interface PageTitleProps {
  /** The h1. */
  children: ReactNode
  /** In the title of the window: "Crawler overview · example.com · Spoor". */
  title: string
  site?: string | undefined
  /** The page above this one, as a link. */
  above?: ReactNode
  /** Controls at the end of the line. */
  controls?: ReactNode
}

let shown_before: string | null = null

/** The one h1 of a page. It takes the focus when the page changed, so that a screen reader reads where it is. */
export function PageTitle({ children, title, site, above, controls }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = [title, site, 'Spoor'].filter((part) => part !== undefined).join(' · ')
  }, [title, site])
  useEffect(() => {
    // The first page is entered at its top, as any other document.
    if (shown_before !== null && shown_before !== pathname) heading.current?.focus({ preventScroll: true })
    shown_before = pathname
  }, [pathname])
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-8 gap-y-6">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 text-page font-strong">
        {above !== undefined && <span className="text-ink2 font-normal">{above} /</span>}
        <h1 ref={heading} tabIndex={-1} className="min-w-0">
          {children}
        </h1>
      </div>
      {controls !== undefined && <div className="flex flex-wrap items-center gap-6 max-tablet:w-full">{controls}</div>}
    </div>
  )
}
