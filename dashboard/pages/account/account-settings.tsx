import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { SettingsPage } from '../../settings/settings-page.tsx'

const ACCOUNT = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/tokens', label: 'Tokens' },
]
const INSTALLATION = [
  { to: '/settings/people', label: 'People' },
  { to: '/settings/registry', label: 'Crawler registry' },
  { to: '/settings/engines', label: 'Engines' },
]

interface PartProps {
  title: string
  children: ReactNode
}

/** What belongs to the person and the account. */
export const AccountSettings = ({ title, children }: PartProps) => (
  <SettingsPage heading="Account" title={title} tabs={ACCOUNT}>
    {children}
  </SettingsPage>
)

/** What belongs to the installation, for its operators. */
export function InstallationSettings({ title, children }: PartProps) {
  const { routesByPath } = useRouter()
  return (
    <SettingsPage heading="Installation" title={title} tabs={INSTALLATION.filter(({ to }) => to in routesByPath)}>
      {children}
    </SettingsPage>
  )
}
