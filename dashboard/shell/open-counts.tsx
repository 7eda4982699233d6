import { useQuery } from '@tanstack/react-query'
import { readQuery } from '../read/queries.ts'
import { fullCount } from '../words/numbers.ts'

/** Issues that are open or came back; nothing while they are read, or when there are none. */
export function OpenIssues({ site }: { site: string }) {
  const { data } = useQuery(readQuery('listIssues', { site, state: ['open', 'regressed'], limit: 1 }))
  return <OpenCount count={data?.total_count} what="open" />
}

export function OpenFixes({ brand }: { brand: string }) {
  const { data } = useQuery(readQuery('listFixes', { brandId: brand, status: 'open', limit: 1 }))
  return <OpenCount count={data?.total_count} what="open" />
}

const OpenCount = ({ count, what }: { count: number | undefined; what: string }) =>
  count === undefined || count === 0 ? null : (
    <span className="ml-auto text-small text-ink3">
      {fullCount(count)}
      <span className="sr-only"> {what}</span>
    </span>
  )
