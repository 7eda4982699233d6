import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { useSiteId } from '../read/use-report.ts'
import { PageTitle } from '../shell/title.tsx'
import { useSite } from '../shell/use-site.ts'

interface ChildPageProps {
  /** The title of the window. It is also the heading, unless the page has its own. */
  title: string
  heading?: string
  /** Name and address of the parent page. */
  above: string
  to: string
  params?: Readonly<Record<string, string>>
  children: ReactNode
}

/** A page with a form: its title, and a link back to the parent page. */
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
