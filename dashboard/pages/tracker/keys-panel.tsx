import { useState } from 'react'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SecretOnce } from '../../forms/secret-once.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useSite } from '../../shell/use-site.ts'
import type { Tracker } from '../../states/install-panel.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { instantText } from '../../words/days.ts'
import { ownersOnly } from '../../words/refusals.ts'

type Key = Tracker['keys'][number]
type Kind = Key['kind']

const KIND_WORDS: Record<Kind, string> = { public: 'Public, in the snippet', server: 'Server, a secret' }

/** Keys for pages and for the customer's servers. A server key is shown once. */
export function KeysPanel({ tracker }: { tracker: Tracker }) {
  const site = useSiteId()
  const forbidden = ownersOnly(useSite()?.role)
  const create = useChange('tracker.key_create', { changes: ['tracker.show'] })
  const revoke = useChange('tracker.key_revoke', { changes: ['tracker.show'] })
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [made, setMade] = useState<ReadOutput<'tracker.key_create'> | null>(null)
  const make = (kind: Kind) =>
    create.mutate({ site, kind }, { onSuccess: (key) => (kind === 'server' ? setMade(key) : announce('Key created.')) })
  return (
    <Panel
      title="Keys"
      controls={
        <span className="ml-auto flex gap-4">
          <Button forbidden={forbidden} disabled={create.isPending} onClick={() => make('public')}>
            New public key
          </Button>
          <Button forbidden={forbidden} disabled={create.isPending} onClick={() => make('server')}>
            New server key
          </Button>
        </span>
      }
    >
      {create.error !== null && (
        <div className="px-8 pb-6">
          <FormError error={create.error} />
        </div>
      )}
      {made !== null && (
        <div className="px-8 pb-8">
          <SecretOnce label="New server key" secret={made.secret} />
          <Button className="mt-6" onClick={() => setMade(null)}>
            I have stored it
          </Button>
        </div>
      )}
      <DataTable
        caption="Keys of the tracker, revoked ones included"
        columns={keyColumns({ forbidden, onRevoke: setRevoking })}
        rows={tracker.keys}
        rowKey={({ id }) => id}
        total={tracker.keys.length}
        empty="The tracker has no key."
      />
      {revoking !== null && (
        <ConfirmByTyping
          title="Revoke the key"
          expected={null}
          action="Revoke the key"
          is_open
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await revoke.mutateAsync({ site, key: revoking.id })
            announce('The key is revoked.')
          }}
        >
          Events with {revoking.prefix} are refused from now on, and are missing from the numbers. Stored events are
          kept.
        </ConfirmByTyping>
      )}
    </Panel>
  )
}

interface KeyColumns {
  forbidden: string | undefined
  onRevoke: (key: Key) => void
}

export const keyColumns = ({ forbidden, onRevoke }: KeyColumns): Column<Key>[] => [
  {
    key: 'key',
    head: 'Key',
    cell: ({ prefix, kind }) => (
      <code className="font-mono text-code break-all">
        {prefix}
        {kind === 'server' && '…'}
      </code>
    ),
  },
  {
    key: 'kind',
    head: 'Kind',
    phone: 'tag',
    cell: ({ kind }) => <span className="text-ink2">{KIND_WORDS[kind]}</span>,
  },
  {
    key: 'created',
    head: 'Created, UTC',
    cell: ({ created_at }) => <span className="text-small whitespace-nowrap text-ink2">{instantText(created_at)}</span>,
  },
  {
    key: 'actions',
    head: '',
    phone: 'value',
    cell: (key) =>
      key.revoked_at !== null ? (
        <Badge>revoked</Badge>
      ) : (
        <span className="flex justify-end">
          <Button kind="quiet" forbidden={forbidden} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        </span>
      ),
  },
]
