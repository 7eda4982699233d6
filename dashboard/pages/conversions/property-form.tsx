import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import type { Property } from './draft.ts'

export type Editing = Pick<Property, 'event_name' | 'property_key' | 'scalar_kind' | 'enum_values' | 'revision'>

interface PropertyFormProps {
  /** null: a new one. */
  editing: Editing | null
  forbidden: string | undefined
  onDone: () => void
}

const KINDS: { key: Property['scalar_kind']; label: string }[] = [
  { key: 'enum', label: 'One of a list' },
  { key: 'integer', label: 'Whole number' },
  { key: 'boolean', label: 'True or false' },
]

/** One value per line, without empty lines. */
export const valuesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))

/** `editing`: what was changed; null: it is new. */
export function savedWords(property_key: string, revision: number, editing: Pick<Editing, 'revision'> | null): string {
  if (editing === null) return `The property ${property_key} is declared.`
  return revision === editing.revision
    ? 'Nothing changed, so there is no new revision.'
    : `Revision ${revision} of the property ${property_key} is in force from now on.`
}

/** Declares a property, or changes kind or values of one from now on. */
export function PropertyForm({ editing, forbidden, onDone }: PropertyFormProps) {
  const site = useSiteId()
  const [event_name, setEvent] = useState(editing?.event_name ?? '')
  const [property_key, setKey] = useState(editing?.property_key ?? '')
  const [scalar_kind, setKind] = useState<Property['scalar_kind']>(editing?.scalar_kind ?? 'enum')
  const [values, setValues] = useState(editing?.enum_values?.join('\n') ?? '')
  const add = useChange('property.add', { changes: ['property.list'] })
  const edit = useChange('property.edit', { changes: ['property.list'] })
  const { mutate, error, isPending } = editing === null ? add : edit
  const form = useRef<HTMLFormElement>(null)
  // On narrow screens the form is below the table, where pressing "Edit" would otherwise have no visible effect.
  useEffect(() => {
    if (editing !== null) form.current?.querySelector<HTMLElement>('button')?.focus()
  }, [editing])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const enum_values = scalar_kind === 'enum' ? { enum_values: valuesOf(values) } : {}
    mutate(
      { site, event_name: event_name.trim(), property_key: property_key.trim(), scalar_kind, ...enum_values },
      {
        onSuccess: ({ revision }) => {
          announce(savedWords(property_key.trim(), revision, editing))
          if (editing === null) setKey('')
          setValues('')
          onDone()
        },
      },
    )
  }
  return (
    <Panel title={editing === null ? 'Declare a property' : `Edit ${editing.property_key}`}>
      <PanelBody>
        <form ref={form} onSubmit={submit} noValidate className="space-y-8">
          {editing === null && (
            <>
              <TextField label="Event" value={event_name} onChange={setEvent} is_mono help="Such as signup." />
              <TextField
                label="Property"
                value={property_key}
                onChange={setKey}
                is_mono
                help="1 to 48 of the characters a-z 0-9 _ . -, beginning with a letter."
              />
            </>
          )}
          <SelectField
            label="Kind"
            selected={scalar_kind}
            options={KINDS}
            onSelect={(kind) => setKind(kind as Property['scalar_kind'])}
          />
          {scalar_kind === 'enum' && (
            <label className="block space-y-2">
              <span className="block text-dense font-medium">Values, one per line</span>
              <textarea
                className="field font-mono text-code"
                rows={4}
                value={values}
                onChange={(event) => setValues(event.target.value)}
              />
            </label>
          )}
          <FormError error={error} />
          {editing !== null && (
            <p className="text-dense text-ink2">Creates revision {editing.revision + 1} from now on.</p>
          )}
          <div className="flex gap-6">
            <Button kind="primary" type="submit" forbidden={forbidden} disabled={isPending}>
              {editing === null ? 'Declare' : 'Save'}
            </Button>
            {editing !== null && <Button onClick={onDone}>Cancel</Button>}
          </div>
        </form>
      </PanelBody>
    </Panel>
  )
}
