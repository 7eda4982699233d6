import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, memo, Suspense, useCallback, useState } from 'react'
import { IconButton } from '../controls/button.tsx'
import { MenuIcon, SearchIcon } from '../controls/icons.tsx'
import { Patterns } from '../evidence/patterns.tsx'
import { Drawer } from '../forms/dialog.tsx'
import { change } from '../read/client.ts'
import type { Session } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'
import { isRefusal, Refusal } from '../read/refusal.ts'
import { reportSessionBegun } from '../read/session-ended.ts'
import { READ_FAILED, refusalWords } from '../words/refusals.ts'
import { Announcements, announce } from './announce.tsx'
import { useKeys } from './keys.ts'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import { SessionDialogs } from './session-dialogs.tsx'
import { type ShownSubjects, shownSubjects } from './shown-subjects.ts'
import { SiteSwitcher } from './site-switcher.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const Palette = lazy(() => import('./palette.tsx'))
const KeysDialog = lazy(() => import('./keys-dialog.tsx'))

/** The frame around every page of a signed-in person. */
export function Frame() {
  const { data: session } = useQuery(sessionQuery())
  const params = useParams({ strict: false }) as { site?: string; brand?: string }
  const [is_open, setOpen] = useState(false)
  const [layer, setLayer] = useState<'palette' | 'keys' | null>(null)
  const find = useCallback(() => setLayer('palette'), [])
  const shown = session && shownSubjects(session, params)
  useKeys({
    params: { site: shown?.site ?? session?.sites[0]?.id, brand: shown?.brand },
    onFind: find,
    onHelp: () => setLayer('keys'),
  })
  if (session === undefined || shown === undefined) return null
  const content = <SideContent session={session} {...shown} onFind={find} />
  return (
    <div className="mx-auto min-h-dvh tablet:grid tablet:grid-cols-[224px_minmax(0,1fr)]">
      <a
        href="#content"
        className="control sr-only focus:not-sr-only focus:absolute focus:top-4 focus:left-4 focus:z-50"
      >
        Skip to content
      </a>
      <Patterns />
      <RefetchBar />
      <header className="sticky top-0 z-20 flex items-center justify-between gap-6 border-b border-line bg-canvas px-8 py-4 tablet:hidden">
        <IconButton label="Menu" className="border border-line bg-panel" onClick={() => setOpen(true)}>
          <MenuIcon />
        </IconButton>
        <span className="min-w-0 flex-1">
          <SiteSwitcher sites={session.sites} site={shown.site} />
        </span>
        <IconButton label="Find" className="border border-line bg-panel" onClick={find}>
          <SearchIcon />
        </IconButton>
      </header>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-6 border-r border-line px-6 py-6 tablet:flex">
        <span className="px-4">
          <Logo />
        </span>
        <SiteSwitcher sites={session.sites} site={shown.site} />
        {content}
      </aside>
      <Drawer title="Spoor" side="left" is_open={is_open} onClose={() => setOpen(false)}>
        {/* Following a link closes it, by whatever means it was followed. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
        <div
          className="flex min-h-full flex-col gap-8"
          onClick={(event) => (event.target as Element).closest('a') !== null && setOpen(false)}
        >
          {content}
        </div>
      </Drawer>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-652 min-w-0 px-8 py-8 tablet:px-16 tablet:py-10">
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Suspense>
        {layer === 'palette' && (
          <Palette session={session} {...shown} onClose={() => setLayer(null)} onKeys={() => setLayer('keys')} />
        )}
        {layer === 'keys' && <KeysDialog onClose={() => setLayer(null)} />}
      </Suspense>
      <Announcements />
      <SessionDialogs />
    </div>
  )
}

interface SideContentProps extends ShownSubjects {
  session: Session
  onFind: () => void
}

/** Memoised, so that opening a layer does not draw it again. */
const SideContent = memo(({ session, site, brand, onFind }: SideContentProps) => (
  <>
    {/* On a low screen, only this part scrolls. */}
    <div className="-mx-2 flex min-h-0 flex-1 flex-col overflow-y-auto px-2 max-tablet:flex-none">
      <Navigation session={session} site={site} brand={brand} />
    </div>
    <button type="button" className="control justify-between font-normal text-ink2 max-tablet:hidden" onClick={onFind}>
      Find
      <kbd className="rounded-tag border border-line px-3 font-sans text-small text-ink3">{FIND_KEYS}</kbd>
    </button>
    <ThemeSwitch />
    <SignOut name={session.user.email ?? 'Operator'} />
  </>
))

const refusedWords = (error: unknown) => (error instanceof Refusal ? refusalWords(error) : READ_FAILED)

const FIND_KEYS = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

function SignOut({ name }: { name: string }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const signOut = async () => {
    try {
      await change('signOut', {})
    } catch (error) {
      // A session that has already ended counts as signed out.
      if (!isRefusal(error, 401)) return announce(`Not signed out. ${refusedWords(error)}`)
      reportSessionBegun()
    }
    queries.clear()
    await navigate({ to: '/sign-in' } as never)
  }
  return (
    <div className="flex items-center justify-between gap-4 px-4 text-small text-ink3">
      <span className="truncate" title={name}>
        {name}
      </span>
      <span className="flex shrink-0 items-center gap-5">
        <a href="/docs" className="link" title="API reference">
          Help
        </a>
        <button type="button" onClick={signOut} className="link min-h-12 touch:min-h-22">
          Sign out
        </button>
      </span>
    </div>
  )
}

/** Shows a refetch, during which the old numbers stay visible. */
function RefetchBar() {
  const is_reading = useIsFetching({ predicate: ({ state }) => state.data !== undefined }) > 0
  return (
    <div aria-hidden="true" className="pointer-events-none fixed inset-x-0 top-0 z-40 h-1 overflow-hidden">
      {is_reading && <div className="refetch-bar h-full w-1/4 bg-ink appear-late" />}
    </div>
  )
}
