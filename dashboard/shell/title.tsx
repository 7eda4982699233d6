import { useMatch } from '@tanstack/react-router'
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
  /** The heading is a sentence, so it has its own line, below the link to the parent page and the controls. */
  is_long?: boolean
}

let shown_before: string | null = null

/** The only h1 of a page. It gets the focus after navigation, so that screen readers announce the page. */
export function PageTitle({ children, title, site, above, controls, is_long = false }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The path of this page. The address may already be that of the next page while this one is still shown.
  const pathname = useMatch({ strict: false, shouldThrow: false, select: (match) => match.pathname }) ?? null
  useEffect(() => {
    document.title = [title, site, 'Spoor'].filter((part) => part !== undefined).join(' · ')
  }, [title, site])
  useEffect(() => {
    // The first page does not move the focus: it starts at the top of the document.
    if (shown_before !== null && shown_before !== pathname) heading.current?.focus({ preventScroll: true })
    shown_before = pathname
  }, [pathname])
  const h1 = (
    <h1 ref={heading} tabIndex={-1} className="min-w-0 text-page font-strong">
      {children}
    </h1>
  )
  const end = controls !== undefined && (
    <div className="flex flex-wrap items-center gap-6 max-tablet:w-full">{controls}</div>
  )
  const above_it = above !== undefined && <span className="font-normal text-ink2">{above} /</span>
  if (is_long) {
    return (
      <div className="space-y-5">
        <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-8 gap-y-6">
          {above_it}
          {end}
        </div>
        {h1}
      </div>
    )
  }
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-x-8 gap-y-6">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 text-page">
        {above_it}
        {h1}
      </div>
      {end}
    </div>
  )
}
