import type { ReactNode } from 'react'
import { SettingsPage } from '../../settings/settings-page.tsx'
import { SITE_PARTS } from '../../shell/navigation-items.ts'
import { useSite } from '../../shell/use-site.ts'

export function SiteSettings({ title, children }: { title: string; children: ReactNode }) {
  const site = useSite()
  if (site === undefined) return null
  return (
    <SettingsPage
      heading="Site settings"
      title={title}
      site={site.root_domain}
      tabs={SITE_PARTS}
      params={{ site: site.id }}
    >
      {children}
    </SettingsPage>
  )
}
