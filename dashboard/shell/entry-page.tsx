import type { ReactNode } from 'react'
import { Announcements } from './announce.tsx'
import { Logo } from './logo.tsx'

/** The one column in which people who have not signed in yet enter something. */
export const EntryPage = ({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) => (
  <main className="mx-auto flex min-h-dvh w-full max-w-200 flex-col justify-center gap-12 p-8">
    <Logo />
    <div className="panel p-12">
      <h1 className="mb-8 text-page font-strong">{title}</h1>
      {children}
    </div>
    {foot !== undefined && <p className="text-small text-ink3">{foot}</p>}
    <Announcements />
  </main>
)
