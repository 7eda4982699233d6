import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { useSiteId } from '../read/use-report.ts'
import { PageTitle } from '../shell/title.tsx'
import { useSite } from '../shell/use-site.ts'

interface ChildPageProps {
  /** In the title of the window, and the heading where there is no other. */
  title: string
  heading?: string
  /** What the page above it is called, and where it is. */
  above: string
  to: string
  params?: Readonly<Record<string, string>>
  children: ReactNode
}

/** A form with a page of its own: its title, and the way back to the page that it belongs to. */
export function ChildPage({ title, heading = title, above, to, params, children }: ChildPageProps) {
  const site_id = useSiteId()
  return (
    <div className="space-y-8">
      <PageTitle
        title={title}
        site={useSite()?.root_domain}
        above={
          <PageLink to={to} params={{ site: site_id, ...params }} className="hover:underline">
            {above}
          </PageLink>
        }
      >
        {heading}
      </PageTitle>
      {children}
    </div>
  )
}
