import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { Search } from '../read/search.ts'

interface PageLinkProps {
  /** The path as the router has it, such as `/sites/$site/crawlers/$crawler`. */
  to: string
  params?: Readonly<Record<string, string>>
  /** Parameters of the address; without them it has none. */
  search?: Search | Readonly<Record<string, string>>
  className?: string
  children: ReactNode
  exact?: boolean
}

/** The one link to a page of the dashboard. Hovering it loads the page and starts its reads. */
export function PageLink({ to, params = {}, search = {}, className = 'link', exact = false, children }: PageLinkProps) {
  const target = { to, params, search } as unknown as ComponentProps<typeof Link>
  return (
    <Link {...target} className={className} activeOptions={{ exact, includeSearch: false }}>
      {children}
    </Link>
  )
}
