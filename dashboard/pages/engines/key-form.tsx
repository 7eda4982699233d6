import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { ENGINE_WORDS, providerName } from '../../words/brand.ts'
import { instantText } from '../../words/days.ts'
import type { EngineState } from './page.tsx'

export const ENGINE_READS = ['engine.list', 'getPlan'] as const

/** The form for a key. The service stores it encrypted, and never shows it again. */
export function KeyForm({ engine }: { engine: EngineState }) {
  const [key, setKey] = useState('')
  const [is_open, setOpen] = useState(false)
  const save = useChange('engine.set_key', { changes: ENGINE_READS })
  const name = ENGINE_WORDS[engine.engine] ?? engine.engine
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      { engine: engine.engine, api_key: key.trim() },
      {
        onSuccess: () => {
          setKey('')
          setOpen(false)
          announce(`Stored. ${name} is asked from now on.`)
        },
      },
    )
  }
  return (
    <div className="space-y-6">
      <Terms engine={engine} />
      {is_open ? (
        <form onSubmit={submit} className="max-w-260 space-y-6">
          <TextField
            label={`Key for ${providerName(engine.provider)}`}
            help="It is stored encrypted and never shown again. A new key replaces the old one."
            type="password"
            autoComplete="off"
            value={key}
            onChange={setKey}
            is_required
            is_mono
          />
          <FormError error={save.error} />
          <div className="flex gap-4">
            <Button type="submit" kind="primary" aria-busy={save.isPending}>
              {save.isPending ? 'Storing' : 'Store the key'}
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </div>
        </form>
      ) : (
        <p className="flex flex-wrap items-center gap-6">
          {engine.has_key ? <span className="text-ink2">A key is stored.</span> : null}
          <Button onClick={() => setOpen(true)}>{engine.has_key ? 'Replace the key' : 'Add a key'}</Button>
        </p>
      )}
    </div>
  )
}

/** Some providers may forbid storing and analysing their answers; an admin decides. */
function Terms({ engine: { engine, terms, provider } }: { engine: EngineState }) {
  const accept = useChange('engine.accept_terms', { changes: ENGINE_READS })
  if (!terms.needed) return null
  if (terms.accepted_at !== null) {
    return <p className="text-small text-ink2">Its terms were accepted on {instantText(terms.accepted_at)} UTC.</p>
  }
  return (
    <div className="space-y-4 rounded-control bg-warn-bg p-6">
      <p className="text-warn">
        The terms of {providerName(provider)} may forbid storing and analysing grounded answers, as Spoor does. The
        engine stays off until an admin accepts that.
      </p>
      <FormError error={accept.error} />
      <Button onClick={() => accept.mutate({ engine })}>I have read the terms and accept</Button>
    </div>
  )
}
