import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import type { ChangeId } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { visibleText } from '../../words/foreign-text.ts'
import type { NamedSource } from './source-facts.tsx'

/** The named servers that the days of an unnamed upload can be given to; empty for every other source (rules 3). */
export function serversFor(source: NamedSource, sources: readonly NamedSource[]): NamedSource[] {
  const is_unnamed = source.source_type === 'log_upload' && source.name === ''
  if (!is_unnamed || source.connection_status === 'disconnected' || source.moved_to !== null) return []
  return sources.filter(
    ({ source_type, name, connection_status }) =>
      source_type === 'log_upload' && name !== '' && connection_status !== 'disconnected',
  )
}

interface UnnamedUploadProps {
  source: NamedSource
  /** At least one. */
  servers: readonly NamedSource[]
  changes: readonly ChangeId[]
  forbidden: string | undefined
}

/** Gives the days of an upload without a server name to the server that wrote its logs, or ends the upload. */
export function UnnamedUpload({ source, servers, changes, forbidden }: UnnamedUploadProps) {
  const [server, setServer] = useState(servers[0]?.name ?? null)
  const retire = useChange('source.retire', { changes })
  return (
    <div className="space-y-4">
      <p className="text-dense text-ink2">
        The site has named servers, and this upload has no server name. If one of them wrote its logs, give its days to
        that server. Otherwise end the upload: what it covered still counts, and reports expect no more logs from it.
      </p>
      <SelectField
        label="Server that wrote its logs"
        selected={server}
        options={servers.map(({ name }) => ({ key: name, label: visibleText(name) }))}
        onSelect={setServer}
      />
      <span className="flex flex-wrap gap-4">
        <Button
          forbidden={forbidden}
          onClick={() => server !== null && retire.mutate({ source: source.id, into: server })}
        >
          Give its days to this server
        </Button>
        <Button forbidden={forbidden} onClick={() => retire.mutate({ source: source.id })}>
          End this upload
        </Button>
      </span>
      <FormError error={retire.error} />
    </div>
  )
}
