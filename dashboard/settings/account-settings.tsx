import type { ReactNode } from 'react'
import { ACCOUNT_PARTS, INSTALLATION_PARTS } from '../shell/navigation-items.ts'
import { SettingsPage } from './settings-page.tsx'

interface PartProps {
  title: string
  children: ReactNode
}

/** What belongs to the person and the account. */
export const AccountSettings = ({ title, children }: PartProps) => (
  <SettingsPage heading="Account" title={title} tabs={ACCOUNT_PARTS}>
    {children}
  </SettingsPage>
)

/** What belongs to the installation, for its operators. */
export const InstallationSettings = ({ title, children }: PartProps) => (
  <SettingsPage heading="Installation" title={title} tabs={INSTALLATION_PARTS}>
    {children}
  </SettingsPage>
)
