import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { SEARCH_SOURCE_WORDS } from '../../words/brand.ts'
import { instantText, spanText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { CONNECTION_WORDS } from '../../words/sources.ts'
import { ConnectSearchData } from './connect-search-data.tsx'
import { ImportSearchData } from './import-search-data.tsx'

type SearchData = ReadOutput<'search_data.list'>
type Connection = SearchData['connections'][number]

const TONES = { pending: 'warn', live: 'ok', error: 'bad', revoked: 'warn', disconnected: 'plain' } as const

/** Search data of own pages in Google and Bing: imported files, and connections that are read daily. */
export function SearchDataPanel({ brand }: { brand: string }) {
  const data = useQuery(readQuery('search_data.list', { brand }))
  const may = useMayOnBrand()
  const [opened, setOpened] = useState<'import' | 'connect' | null>(null)
  return (
    <Panel
      title="Search data"
      actions={
        <>
          <Button forbidden={may.edit} onClick={() => setOpened('import')}>
            Import a file
          </Button>
          <Button forbidden={may.own} onClick={() => setOpened('connect')}>
            Connect
          </Button>
        </>
      }
    >
      <Async query={data} skeleton={<SkeletonRows rows={3} />}>
        {(answer) => <SearchDataList brand={brand} data={answer} forbidden={may.own} />}
      </Async>
      {opened === 'import' && <ImportSearchData brand={brand} onClose={() => setOpened(null)} />}
      {opened === 'connect' && <ConnectSearchData brand={brand} onClose={() => setOpened(null)} />}
    </Panel>
  )
}

interface SearchDataListProps {
  brand: string
  data: SearchData
  forbidden: string | undefined
}

export function SearchDataList({ brand, data: { connections, stored }, forbidden }: SearchDataListProps) {
  const [ended, setEnded] = useState<Connection | null>(null)
  const disconnect = useChange('search_data.disconnect', { changes: ['search_data.list', 'getUrlReport'] })
  if (connections.length === 0 && stored.length === 0) {
    return (
      <p className="px-8 pb-8 text-ink2 max-tablet:px-6">
        No search data is stored, so how own pages do in search is unknown. Import an export of Search Console or Bing,
        or connect a property.
      </p>
    )
  }
  return (
    <>
      <ul>
        {connections.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-6 border-t border-line px-8 py-5 max-tablet:px-6">
            <span className="min-w-0 flex-1">
              <span className="font-medium">
                {SEARCH_SOURCE_WORDS[one.source] ?? one.source} {visibleText(one.property)}
              </span>
              <span className="block text-small text-ink2">{connectionWords(one)}</span>
            </span>
            <Badge tone={TONES[one.state] ?? 'plain'}>{CONNECTION_WORDS[one.state] ?? one.state}</Badge>
            {one.state !== 'disconnected' && (
              <Button kind="quiet" forbidden={forbidden} onClick={() => setEnded(one)}>
                Disconnect
              </Button>
            )}
          </li>
        ))}
        {stored.map((one) => (
          <li
            key={`${one.source} ${one.property} ${one.search_type} ${one.grouping}`}
            className="border-t border-line px-8 py-5 text-dense text-ink2 max-tablet:px-6"
          >
            {SEARCH_SOURCE_WORDS[one.source] ?? one.source} {visibleText(one.property)}, {one.search_type}, by{' '}
            {one.grouping === '' ? 'totals' : one.grouping.replaceAll(',', ' and ')}: {counted(one.days, 'day')},{' '}
            {spanText(one.from, one.to)}
          </li>
        ))}
      </ul>
      {ended !== null && (
        <ConfirmByTyping
          title={`Disconnect ${visibleText(ended.property)}`}
          expected={null}
          action="Disconnect"
          is_open
          onClose={() => setEnded(null)}
          onConfirm={async () => {
            await disconnect.mutateAsync({ brand, source: ended.source, property: ended.property })
            announce('Disconnected. Data that was read is kept.')
          }}
        >
          It is no longer read, and its key is deleted. Data that was read is kept.
        </ConfirmByTyping>
      )}
    </>
  )
}

export function connectionWords({ last_poll_at, error_code, read_from }: Connection): string {
  if (error_code !== null) return `The last read failed: ${error_code.replaceAll('_', ' ')}.`
  if (last_poll_at === null) return 'Not read yet.'
  const since = read_from === null ? '' : `, days from ${spanText(read_from, read_from)}`
  return `Read ${instantText(last_poll_at)} UTC${since}.`
}
