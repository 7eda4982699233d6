import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { PageTitle } from '../shell/title.tsx'

interface SettingsPageProps {
  heading: string
  /** Of the part that is shown. */
  title: string
  site?: string | undefined
  tabs: readonly { to: string; label: string }[]
  params?: Readonly<Record<string, string>>
  children: ReactNode
}

/** Settings in parts, each with its own address. */
export const SettingsPage = ({ heading, title, site, tabs, params = {}, children }: SettingsPageProps) => (
  <div className="space-y-8">
    <PageTitle title={`${title} · ${heading}`} site={site}>
      {heading}
    </PageTitle>
    <nav aria-label={heading} className="-mx-1 flex flex-wrap gap-x-2 gap-y-1 border-b border-line pb-4">
      {tabs.map(({ to, label }) => (
        <PageLink
          key={to}
          to={to}
          params={params}
          className="inline-flex min-h-15 items-center rounded-control px-6 text-dense text-ink2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-strong aria-[current=page]:text-ink touch:min-h-22"
        >
          {label}
        </PageLink>
      ))}
    </nav>
    {children}
  </div>
)

/** The text in place of a part that the person may not see. */
export const NotForYou = ({ children }: { children: ReactNode }) => (
  <p className="px-8 pb-8 text-ink2 max-tablet:px-6">{children}</p>
)
