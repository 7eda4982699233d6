import type { UseQueryResult } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Badge } from '../controls/badge.tsx'
import { Button } from '../controls/button.tsx'
import { ConfirmByTyping } from '../forms/confirm-by-typing.tsx'
import { FormError } from '../forms/form-error.tsx'
import { SecretOnce } from '../forms/secret-once.tsx'
import { SelectField } from '../forms/select.tsx'
import { TextField } from '../forms/text-field.tsx'
import { Async, SkeletonRows } from '../states/async.tsx'
import { instantText } from '../words/days.ts'
import { visibleText } from '../words/foreign-text.ts'

export interface SecretRow {
  id: string
  name: string
  prefix: string
  /** More about it: whose it is, or what it opens. */
  about: string | null
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

interface SecretListProps<Answer> {
  /** "key" or "token". */
  what: string
  query: UseQueryResult<Answer>
  rows: (answer: Answer) => SecretRow[]
  /** Why the person may neither see nor create any. */
  forbidden: string | undefined
  /** The secret that was created last; shown once. */
  secret: string | null
  error: Error | null
  is_busy: boolean
  /** The maximum number of active ones; at the limit, one must be revoked first. */
  limit?: number
  scopes?: readonly { key: string; label: string }[]
  /** `onDone` follows when it was created. */
  onCreate: (given: { name: string; scope: string }, onDone: () => void) => void
  onRevoke: (id: string) => Promise<void>
  onRotate?: (id: string) => void
  /** What revoking does, in the dialog. */
  revoking: string
}

/** Keys or tokens: a new one with its secret, shown once, and the existing ones by name and prefix. */
export function SecretList<Answer>(props: SecretListProps<Answer>) {
  const { what, query, rows, forbidden } = props
  if (forbidden !== undefined) {
    return (
      <div className="space-y-6 px-8 pb-8 max-tablet:px-6">
        <p className="text-ink2">
          The {what}s are shown to people who may create one. {forbidden}
        </p>
        <Button forbidden={forbidden}>Create a {what}</Button>
      </div>
    )
  }
  return (
    <Async query={query} skeleton={<SkeletonRows rows={3} />}>
      {(answer) => {
        const all = rows(answer)
        const active = all.filter(({ revoked_at }) => revoked_at === null)
        const ended = all.filter(({ revoked_at }) => revoked_at !== null)
        return (
          <>
            <div className="px-8 pb-8 max-tablet:px-6">
              <NewSecret {...props} active={active.length} />
            </div>
            <Rows {...props} shown={active} />
            {ended.length > 0 && (
              <details className="border-t border-line">
                <summary className="px-8 py-5 text-dense text-ink2 max-tablet:px-6">{ended.length} revoked</summary>
                <Rows {...props} shown={ended} />
              </details>
            )}
          </>
        )
      }}
    </Async>
  )
}

function NewSecret<Answer>({
  what,
  secret,
  error,
  is_busy,
  limit,
  scopes,
  onCreate,
  active,
}: SecretListProps<Answer> & { active: number }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState(scopes?.[0]?.key ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCreate({ name, scope }, () => setName(''))
  }
  return (
    <div className="space-y-8">
      {secret !== null && <SecretOnce label={`New ${what}`} secret={secret} />}
      {limit !== undefined && active >= limit ? (
        <p className="text-ink2">
          {active} of {limit} {what}s are active. Revoke one first.
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-6">
          <div className="w-120 max-w-full">
            <TextField label="Name" value={name} onChange={setName} is_required />
          </div>
          {scopes !== undefined && (
            <div className="w-90">
              <SelectField label="May" selected={scope} options={scopes} onSelect={setScope} />
            </div>
          )}
          <Button type="submit" kind="primary" aria-busy={is_busy}>
            Create a {what}
          </Button>
        </form>
      )}
      <FormError error={error} />
    </div>
  )
}

function Rows<Answer>({
  what,
  shown,
  onRevoke,
  onRotate,
  revoking,
}: SecretListProps<Answer> & { shown: readonly SecretRow[] }) {
  const [confirming, setConfirming] = useState<SecretRow | null>(null)
  if (shown.length === 0)
    return <p className="border-t border-line px-8 py-7 text-ink2 max-tablet:px-6">No {what} yet.</p>
  return (
    <>
      <ul>
        {shown.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6"
          >
            <span className="min-w-0">
              <span className="font-medium">{visibleText(row.name)}</span>{' '}
              <code className="font-mono text-code text-ink2">{row.prefix}…</code>
              {row.about !== null && <span className="ml-3 text-dense text-ink2">{row.about}</span>}
              <span className="block text-small text-ink3">
                created {instantText(row.created_at)} UTC ·{' '}
                {row.last_used_at === null ? 'never used' : `last used ${instantText(row.last_used_at)} UTC`}
              </span>
            </span>
            {row.revoked_at === null ? (
              <span className="flex gap-4">
                {onRotate !== undefined && <Button onClick={() => onRotate(row.id)}>Replace</Button>}
                <Button kind="bad" onClick={() => setConfirming(row)}>
                  Revoke
                </Button>
              </span>
            ) : (
              <Badge>revoked {instantText(row.revoked_at)} UTC</Badge>
            )}
          </li>
        ))}
      </ul>
      <ConfirmByTyping
        title={`Revoke ${confirming?.name ?? ''}?`}
        expected={null}
        action={`Revoke the ${what}`}
        is_open={confirming !== null}
        onClose={() => setConfirming(null)}
        onConfirm={async () => {
          if (confirming !== null) await onRevoke(confirming.id)
        }}
      >
        <p>{revoking} This cannot be undone.</p>
      </ConfirmByTyping>
    </>
  )
}
