import { type FormEvent, useState } from 'react'
import { ALERT_EVENT_TYPES, type AlertEventType } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SecretOnce } from '../../forms/secret-once.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { ALERT_WORDS } from '../../words/alerts.ts'

const KINDS = [
  { key: 'webhook', label: 'A webhook' },
  { key: 'email', label: 'An e-mail address' },
] as const

/** A webhook gets a secret, which is shown once. The recipient at an e-mail address must confirm first. */
export function AddReceiver({ site, forbidden }: { site: string; forbidden: string | undefined }) {
  const [kind, setKind] = useState<string>('webhook')
  const [target, setTarget] = useState('')
  const [chosen, setChosen] = useState<readonly AlertEventType[]>([])
  const add = useChange('alert.add', { changes: ['alert.list'], onDone: () => setTarget('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const to = kind === 'webhook' ? { webhook: target.trim() } : { email: target.trim() }
    add.mutate({ site, ...to, event_types: [...chosen] })
  }
  const toggle = (type: AlertEventType) =>
    setChosen(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  return (
    <div className="space-y-8">
      <form onSubmit={submit} className="space-y-8">
        <div className="flex flex-wrap items-end gap-6">
          <div className="w-90 max-w-full">
            <SelectField label="Kind of receiver" selected={kind} options={KINDS} onSelect={setKind} />
          </div>
          <div className="w-180 max-w-full grow">
            <TextField
              label={kind === 'webhook' ? 'URL' : 'E-mail'}
              type={kind === 'webhook' ? 'url' : 'email'}
              value={target}
              onChange={setTarget}
              is_required
              is_mono={kind === 'webhook'}
            />
          </div>
        </div>
        <fieldset>
          <legend className="text-dense font-medium">Which alerts? None chosen: all of them.</legend>
          <div className="mt-3 grid gap-x-8 tablet:grid-cols-3">
            {ALERT_EVENT_TYPES.map((type) => (
              <label key={type} className="flex min-h-12 items-center gap-4 text-dense touch:min-h-22">
                <input
                  type="checkbox"
                  checked={chosen.includes(type)}
                  onChange={() => toggle(type)}
                  className="h-8 w-8 shrink-0"
                />
                {ALERT_WORDS[type]}
              </label>
            ))}
          </div>
        </fieldset>
        <FormError error={add.error} />
        <Button type="submit" kind="primary" forbidden={forbidden} aria-busy={add.isPending}>
          Add the receiver
        </Button>
        {forbidden !== undefined && <p className="text-small text-ink3">{forbidden}</p>}
      </form>
      {add.data !== undefined &&
        (add.data.secret === null ? (
          <p role="status">A message was sent to {add.data.target}. Alerts begin when the recipient confirms.</p>
        ) : (
          <SecretOnce label={`Secret that signs alerts to ${add.data.target}`} secret={add.data.secret} />
        ))}
    </div>
  )
}
