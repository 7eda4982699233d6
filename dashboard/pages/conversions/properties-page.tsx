import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { PageTitle } from '../../shell/title.tsx'
import { useSite } from '../../shell/use-site.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumns } from '../../states/report-page.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { forceText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { editorsOnly } from '../../words/refusals.ts'
import type { Property } from './draft.ts'
import { type Editing, PropertyForm } from './property-form.tsx'
import { ConversionTabs } from './tabs.tsx'

const KIND_WORDS: Record<Property['scalar_kind'], string> = {
  enum: 'one of a list',
  integer: 'whole number',
  boolean: 'true or false',
}

/** Which properties of events are stored? Everything that is not declared is refused. */
export function PropertiesPage() {
  const site_id = useSiteId()
  const site = useSite()
  const query = useQuery(readQuery('property.list', { site: site_id }))
  const [editing, setEditing] = useState<Editing | null>(null)
  const [ending, setEnding] = useState<Property | null>(null)
  const end = useChange('property.end', { changes: ['property.list'] })
  const forbidden = editorsOnly(site?.role)
  return (
    <div className="space-y-8">
      <PageTitle title="Properties" site={site?.root_domain}>
        Conversions
      </PageTitle>
      <ConversionTabs />
      <p className="max-w-340 text-ink2">
        Only declared properties of named events are stored. An event with another one is refused, so that nothing about
        a person is kept by accident.
      </p>
      <PanelColumns>
        <Panel title="Declared properties">
          <Async query={query} skeleton={<SkeletonRows rows={6} />}>
            {({ properties }) => (
              <DataTable
                caption="Properties by event, ended ones included"
                columns={propertyColumns({ forbidden, onEdit: setEditing, onEnd: setEnding })}
                rows={properties}
                rowKey={({ id }) => id}
                total={properties.length}
                empty="No property has been declared. Conversion rules need one."
              />
            )}
          </Async>
        </Panel>
        <PropertyForm
          key={editing === null ? 'new' : `${editing.event_name} ${editing.property_key}`}
          editing={editing}
          forbidden={forbidden}
          onDone={() => setEditing(null)}
        />
      </PanelColumns>
      {ending !== null && (
        <ConfirmByTyping
          title={`End ${visibleText(ending.property_key)} of ${visibleText(ending.event_name)}`}
          expected={null}
          action="End the property"
          is_open
          onClose={() => setEnding(null)}
          onConfirm={async () => {
            await end.mutateAsync({ site: site_id, event_name: ending.event_name, property_key: ending.property_key })
            announce(`The property ${ending.property_key} is no longer stored.`)
          }}
        >
          Events with this property are refused from now on. Stored values are kept.
        </ConfirmByTyping>
      )}
    </div>
  )
}

interface PropertyColumns {
  forbidden: string | undefined
  onEdit: (property: Editing) => void
  onEnd: (property: Property) => void
}

export const propertyColumns = ({ forbidden, onEdit, onEnd }: PropertyColumns): Column<Property>[] => [
  {
    key: 'property',
    head: 'Property',
    cell: ({ event_name, property_key, revision }) => (
      <>
        <span className="block font-mono text-code">{visibleText(property_key)}</span>
        <span className="block text-small text-ink2">
          of {visibleText(event_name)}, revision {revision}
        </span>
      </>
    ),
  },
  {
    key: 'kind',
    head: 'Kind',
    phone: 'tag',
    cell: ({ scalar_kind, enum_values }) => (
      <span className="text-ink2">
        {enum_values === null ? KIND_WORDS[scalar_kind] : enum_values.map(visibleText).join(', ')}
      </span>
    ),
  },
  {
    key: 'force',
    head: 'In force, UTC',
    cell: ({ created_at, ended_at }) => <span className="text-small text-ink2">{forceText(created_at, ended_at)}</span>,
  },
  {
    key: 'actions',
    head: '',
    phone: 'value',
    cell: (property) =>
      property.ended_at !== null ? (
        <Badge>ended</Badge>
      ) : (
        <span className="flex justify-end gap-4">
          <Button kind="quiet" forbidden={forbidden} onClick={() => onEdit(property)}>
            Edit
          </Button>
          <Button kind="quiet" forbidden={forbidden} onClick={() => onEnd(property)}>
            End
          </Button>
        </span>
      ),
  },
]
