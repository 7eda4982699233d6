import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { dayText, instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { FIDELITY_WORDS, SOURCE_TYPE_WORDS } from '../../words/sources.ts'

type Assignment = ReadOutput<'authority.list'>['assignments'][number]

/** Which source counts which host from which day on. It applies while the gate is open. */
export function AuthorityPanel() {
  const site = useSiteId()
  const may = useMay()
  const list = useQuery(readQuery('authority.list', { site }))
  const sources = useQuery(readQuery('source.list', { site }))
  const nameOf = (id: string) => {
    const found = sources.data?.sources.find((source) => source.id === id)
    return found === undefined ? id : visibleText(found.name || SOURCE_TYPE_WORDS[found.source_type])
  }
  const columns: Column<Assignment>[] = [
    {
      key: 'host',
      head: 'Host',
      cell: ({ hostname }) => <code className="font-mono text-code">{visibleText(hostname)}</code>,
    },
    { key: 'source', head: 'Counted by', cell: ({ source_id }) => nameOf(source_id), phone: 'tag' },
    { key: 'from', head: 'From UTC day', cell: ({ effective_day }) => dayText(effective_day), phone: 'value' },
    { key: 'promise', head: 'Paths', cell: ({ path_fidelity }) => FIDELITY_WORDS[path_fidelity] },
    { key: 'status', head: 'Status codes', cell: ({ status_fidelity }) => FIDELITY_WORDS[status_fidelity] },
    { key: 'limitation', head: 'Limitation', cell: ({ limitation }) => limitation ?? '' },
  ]
  return (
    <Panel title="Authority" note="One counting source for each host and day">
      <AssignForm site={site} sources={sources.data?.sources ?? []} forbidden={may.own} />
      <Async query={list} skeleton={<SkeletonRows rows={2} />}>
        {({ assignments, interruptions }) => (
          <>
            <DataTable
              caption="Assignments of hosts to sources"
              columns={columns}
              rows={assignments}
              rowKey={(one) => `${one.hostname} ${one.effective_day} ${one.contract_revision_id}`}
              total={assignments.length}
              empty="No host has been assigned. Opening the gate assigns every host that only one source counts."
            />
            {interruptions.length > 0 && (
              <ul className="border-t border-line px-8 py-6 text-dense text-warn">
                {interruptions.map(({ id, source_id, disconnected_at, ends_at }) => (
                  <li key={id}>
                    {nameOf(source_id)} was disconnected {instantText(disconnected_at)} UTC
                    {ends_at === null ? '; days since then are not watched.' : `, until ${instantText(ends_at)} UTC.`}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Async>
    </Panel>
  )
}

interface AssignFormProps {
  site: string
  sources: ReadOutput<'source.list'>['sources']
  forbidden: string | undefined
}

function AssignForm({ site, sources, forbidden }: AssignFormProps) {
  const [host, setHost] = useState('')
  const [source, setSource] = useState<string | null>(null)
  const [from, setFrom] = useState('')
  const assign = useChange('authority.assign', {
    changes: ['authority.list', 'getSources', 'getCoverage', 'getPerformance'],
    onDone: () => setHost(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    assign.mutate({ site, host: host.trim(), source: source ?? '', from })
  }
  return (
    <form onSubmit={submit} className="space-y-6 px-8 pb-8 max-tablet:px-6">
      <div className="flex flex-wrap items-end gap-6">
        <div className="w-100 max-w-full">
          <TextField label="Host" value={host} onChange={setHost} is_mono is_required />
        </div>
        <div className="w-90 max-w-full">
          <SelectField
            label="Counted by"
            selected={source}
            options={sources.map(({ id, name, source_type }) => ({
              key: id,
              label: visibleText(name || SOURCE_TYPE_WORDS[source_type]),
            }))}
            onSelect={setSource}
          />
        </div>
        <div className="w-80 max-w-full">
          <TextField label="From UTC day" type="date" value={from} onChange={setFrom} is_required />
        </div>
        <Button type="submit" forbidden={forbidden} aria-busy={assign.isPending}>
          Assign
        </Button>
      </div>
      {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
      <FormError error={assign.error} />
    </form>
  )
}
