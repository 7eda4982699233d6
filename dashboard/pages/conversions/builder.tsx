import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { countsSentence } from '../../words/definitions.ts'
import { conversionDefinition, type Draft, draftWords, faultsOf } from './draft.ts'
import { MatcherFields } from './matcher-fields.tsx'
import { RuleFields } from './rule-fields.tsx'

interface ConversionBuilderProps {
  initial: Draft
  /** The verb on the button. */
  action: string
  /** Below the button: what saving does. */
  consequence?: string
  forbidden: string | undefined
  /** What the service refused; nothing that was typed is lost. */
  error: Error | null
  is_pending: boolean
  onSave: (definition: ReturnType<typeof conversionDefinition>) => void
  onCancel?: () => void
}

/** Event or page, rules about declared properties, and the sentence that they make. */
export function ConversionBuilder({ initial, ...props }: ConversionBuilderProps) {
  const site = useSiteId()
  const [draft, setDraft] = useState(initial)
  const [is_checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const listed = useQuery(readQuery('property.list', { site }))
  const properties = listed.data?.properties ?? []
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }))
  const faults = faultsOf(draft)
  const words = draftWords(draft, properties)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (Object.keys(faults).length === 0) return props.onSave(conversionDefinition(draft, properties))
    // After the faults are drawn.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <form ref={form} onSubmit={submit} noValidate className="space-y-8">
      <Panel title="What counts">
        <PanelBody>
          <MatcherFields {...{ draft, set, faults, is_checked }} />
        </PanelBody>
      </Panel>
      {draft.kind === 'event' && (
        <Panel title="Rules" note="all of them must match">
          <PanelBody>
            <Async query={listed} skeleton={<SkeletonRows rows={1} />}>
              {() => <RuleFields draft={draft} properties={properties} set={set} />}
            </Async>
            {is_checked && faults.rules !== undefined && <p className="mt-4 text-small text-bad">{faults.rules}</p>}
          </PanelBody>
        </Panel>
      )}
      <Panel title="Name and save">
        <PanelBody>
          <div className="max-w-240 space-y-8">
            <TextField
              label="Name"
              value={draft.name}
              onChange={(name) => set({ name })}
              fault={faults.name}
              error={is_checked ? faults.name : undefined}
            />
            <p aria-live="polite" className="rounded-control bg-sunken px-6 py-5">
              {words === null ? 'Pick an event or a page, and the sentence appears here.' : countsSentence(words)}
            </p>
            <FormError error={props.error} />
            <div className="flex flex-wrap items-center gap-6">
              <Button kind="primary" type="submit" forbidden={props.forbidden} disabled={props.is_pending}>
                {props.action}
              </Button>
              {props.onCancel !== undefined && <Button onClick={props.onCancel}>Cancel</Button>}
              {props.consequence !== undefined && <span className="text-dense text-ink2">{props.consequence}</span>}
            </div>
          </div>
        </PanelBody>
      </Panel>
    </form>
  )
}
