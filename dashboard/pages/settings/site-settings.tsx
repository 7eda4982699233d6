import type { ReactNode } from 'react'
import { SettingsPage } from '../../settings/settings-page.tsx'
import { useSite } from '../../shell/use-site.ts'

const TABS = [
  { to: '/sites/$site/settings/members', label: 'Members' },
  { to: '/sites/$site/settings/keys', label: 'Keys' },
  { to: '/sites/$site/settings/gates', label: 'Gates and authority' },
  { to: '/sites/$site/settings/retention', label: 'Retention and privacy' },
  { to: '/sites/$site/settings/alerts', label: 'Alerts' },
  { to: '/sites/$site/settings/data', label: 'Data' },
]

export function SiteSettings({ title, children }: { title: string; children: ReactNode }) {
  const site = useSite()
  if (site === undefined) return null
  return (
    <SettingsPage heading="Site settings" title={title} site={site.root_domain} tabs={TABS} params={{ site: site.id }}>
      {children}
    </SettingsPage>
  )
}
