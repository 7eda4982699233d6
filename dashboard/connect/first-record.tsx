import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { PURPOSES } from '../../src/contract/vocabulary.ts'
import { CheckIcon, ClockIcon, WarningIcon } from '../controls/icons.tsx'
import { readQuery } from '../read/queries.ts'
import { counted } from '../words/numbers.ts'
import { CONNECTION_WORDS, zoneFaultWords } from '../words/sources.ts'

const EVERY_MS = 2_000

/** Shows whether a new source has delivered. It asks every two seconds until the first record arrives. */
export function FirstRecord({ site, source }: { site: string; source: string }) {
  const queries = useQueryClient()
  const list = useQuery({
    ...readQuery('source.list', { site }),
    // Also as long as the source is not in the list: a read may have failed.
    refetchInterval: ({ state }) =>
      hasDelivered(state.data?.sources.find(({ id }) => id === source)) ? false : EVERY_MS,
  })
  const found = list.data?.sources.find(({ id }) => id === source)
  const is_live = hasDelivered(found)
  const senders = useQuery({ ...readQuery('source.sender_list', { source }), enabled: is_live })
  const breakdown = useQuery({
    ...readQuery('getDailyBreakdown', { site, window: '3d', purpose: [...PURPOSES] }),
    enabled: is_live,
  })
  useEffect(() => {
    // Every page showed unknown numbers until now.
    if (is_live) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'source.list' })
  }, [is_live, queries])
  const received = senders.data?.senders
    .map(({ last_received_at }) => last_received_at)
    .toSorted()
    .at(-1)
  const requests = breakdown.data?.sources.find(({ source_id }) => source_id === source)?.observed_request_count
  return (
    <FirstRecordLine
      state={found?.connection_status ?? 'pending'}
      error_code={found?.error_code ?? null}
      received_at={received ?? null}
      requests={requests ?? null}
    />
  )
}

const hasDelivered = (source: { connection_status: string } | undefined): boolean =>
  source !== undefined && source.connection_status !== 'pending'

interface FirstRecordLineProps {
  state: keyof typeof CONNECTION_WORDS
  error_code: string | null
  /** When the newest record arrived; null: not known, or there is none. */
  received_at: string | null
  /** Crawlers' requests that it counted; null: not known, or none. */
  requests: number | null
}

export function FirstRecordLine(props: FirstRecordLineProps) {
  const { state, error_code } = props
  if (state === 'pending') {
    return (
      <StatusLine icon={<ClockIcon className={`${ICON} text-ink2`} />}>
        Waiting for the first record… This line updates automatically.
      </StatusLine>
    )
  }
  if (state === 'live') {
    return (
      <StatusLine icon={<CheckIcon className={`${ICON} text-ok`} />}>
        <Received {...props} />
      </StatusLine>
    )
  }
  return (
    <StatusLine icon={<WarningIcon className={`${ICON} text-warn`} />}>
      {failingWords(CONNECTION_WORDS[state], error_code)}
    </StatusLine>
  )
}

const ICON = 'mt-1 h-8 w-8'

const StatusLine = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p role="status" className="flex items-start gap-5 rounded-control bg-sunken px-6 py-5">
    {icon}
    <span>{children}</span>
  </p>
)

const Received = ({ received_at, requests }: Pick<FirstRecordLineProps, 'received_at' | 'requests'>) => (
  <>
    <strong className="font-strong">
      {received_at === null ? 'The first record was received.' : `Received at ${received_at.slice(11, 19)} UTC.`}
    </strong>{' '}
    {requests === null
      ? 'The records contain no crawler request yet.'
      : `${counted(requests, 'crawler request')} observed so far.`}
  </>
)

/** "Failing: unreachable. Cloudflare could not be reached. Check the network of the service." */
const failingWords = (state: string, error_code: string | null): string =>
  error_code === null ? `${state}.` : `${state}: ${error_code}. ${zoneFaultWords(error_code)}`.trimEnd()
