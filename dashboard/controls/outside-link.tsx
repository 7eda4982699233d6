import type { ReactNode } from 'react'

/** A link to another site: only http and https, and without `opener` for the opened page. */
export function OutsideLink({ href, children }: { href: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return children
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="link">
      {children}
    </a>
  )
}
