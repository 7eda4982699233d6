import { type ErrorComponentProps, useLocation, useRouter } from '@tanstack/react-router'
import { DEFAULT_WINDOW, type Window } from '../../src/contract/vocabulary.ts'
import { Button } from '../controls/button.tsx'
import { PageLink } from '../controls/page-link.tsx'
import { Refusal } from '../read/refusal.ts'
import { RefusedSearch } from '../read/search.ts'
import { PageTitle } from '../shell/title.tsx'
import { READ_FAILED } from '../words/refusals.ts'
import { errorWords } from './error-panel.tsx'

/** Replaces a page whose address is invalid, or that failed. It shows no other page instead. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const refused = refusedSearch(error)
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  if (refused !== null) return <RefusedPage refused={refused} />
  return (
    <div className="space-y-8">
      <PageTitle title="Not shown">Not shown</PageTitle>
      <p className="max-w-300 text-ink2">{error instanceof Refusal ? errorWords(error) : READ_FAILED}</p>
      <Button onClick={retry}>Try again</Button>
    </div>
  )
}

/** The router wraps an error that a page threw about its address: it is the `cause` of the router's error. */
function refusedSearch(error: unknown): RefusedSearch | null {
  if (error instanceof RefusedSearch) return error
  return error instanceof Error && error.cause instanceof RefusedSearch ? error.cause : null
}

function RefusedPage({ refused }: { refused: RefusedSearch }) {
  const longest = refused.windows.includes(DEFAULT_WINDOW) ? DEFAULT_WINDOW : refused.windows.at(-1)
  const search = useLocation({ select: (location) => location.search as Readonly<Record<string, string>> })
  // The other parameters stay: they may name what the page is about.
  const { [refused.parameter]: _refused, ...others } = search
  return (
    <div className="space-y-8">
      <PageTitle title="Not shown">The address of this page has invalid values</PageTitle>
      <p className="max-w-300 text-ink2">{refused.message}</p>
      <PageLink to="." search={others} className="control">
        {refused.parameter === 'window' && longest !== undefined ? `Show ${daysOf(longest)}` : 'Use the defaults'}
      </PageLink>
    </div>
  )
}

const daysOf = (window: Window) => `${Number.parseInt(window, 10)} days`

export function NotFound({ what = 'There is no such page.' }: { what?: string }) {
  return (
    <div className="space-y-8">
      <PageTitle title="Not found">Not found</PageTitle>
      <p className="text-ink2">{what}</p>
      <PageLink to="/" className="control">
        Open the start page
      </PageLink>
    </div>
  )
}
