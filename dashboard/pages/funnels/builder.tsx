import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useFirstError } from '../../forms/use-first-error.ts'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { funnelDefinition, type StepDraft, stepsFault, suggestedName } from './draft.ts'
import { FunnelPreviewPanel } from './preview.tsx'
import { StepChoices } from './step-choices.tsx'
import { StepList } from './step-list.tsx'

interface FunnelBuilderProps {
  initial: { name: string; steps: readonly StepDraft[] }
  /** The verb on the button. */
  action: string
  consequence: string
  forbidden: string | undefined
  /** What the service refused; nothing that was picked is lost. */
  error: Error | null
  is_pending: boolean
  onSave: (definition: ReturnType<typeof funnelDefinition>) => void
}

/** The picked steps on the left, the available ones on the right. It counts only when "Preview" is pressed. */
export function FunnelBuilder({ initial, ...props }: FunnelBuilderProps) {
  const [given, setGiven] = useState<string | null>(initial.name === '' ? null : initial.name)
  const [steps, setSteps] = useState(initial.steps)
  const [is_checked, setChecked] = useState(false)
  const { form, focusFirstError } = useFirstError<HTMLDivElement>()
  const fault = stepsFault(steps)
  // The name follows the steps until a name is typed.
  const name = given ?? suggestedName(steps)
  const name_fault = name.trim() === '' ? 'The name is empty; give 1 to 64 characters.' : undefined
  const save = () => {
    setChecked(true)
    if (fault === null && name_fault === undefined) props.onSave(funnelDefinition(name.trim(), steps))
    else focusFirstError()
  }
  return (
    <div ref={form} className="space-y-8">
      <div className="grid items-start gap-8 wide:grid-cols-2">
        <Panel title="Steps" note="in this order, within one session">
          <PanelBody>
            <StepList steps={steps} onChange={setSteps} />
            <div className="mt-8 max-w-200 space-y-8">
              <TextField
                label="Name"
                value={name}
                onChange={setGiven}
                fault={name_fault}
                error={is_checked ? name_fault : undefined}
              />
              {is_checked && fault !== null && (
                <p role="alert" tabIndex={-1} className="text-dense text-bad">
                  {fault}
                </p>
              )}
              <FormError error={props.error} />
              <div className="flex flex-wrap items-center gap-6">
                <Button kind="primary" forbidden={props.forbidden} disabled={props.is_pending} onClick={save}>
                  {props.action}
                </Button>
                <span className="text-dense text-ink2">{props.consequence}</span>
              </div>
            </div>
          </PanelBody>
        </Panel>
        <StepChoices steps={steps} onAdd={(step) => setSteps((before) => [...before, step])} />
      </div>
      <FunnelPreviewPanel name={name} steps={steps} forbidden={props.forbidden} />
    </div>
  )
}
