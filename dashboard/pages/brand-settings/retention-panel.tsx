import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useToday } from '../../brand/filters.tsx'
import { LostAnswers } from '../../brand/lost-answers.tsx'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { wholeNumberFault } from '../../forms/number-fault.ts'
import { TextField } from '../../forms/text-field.tsx'
import { settingQuery } from '../../read/settings.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { shiftDay } from '../../words/days.ts'
import { counted } from '../../words/numbers.ts'

/** The limits that the service sets. */
const MAX_DAYS = 3_650
/** The longest range of a brand's report. */
const MAX_COUNTED = 366

/** How long answers are kept. People without permission to set it cannot read it, and see who can. */
export function RetentionPanel({ brand }: { brand: string }) {
  const may = useMayOnBrand()
  const kept = useQuery({ ...settingQuery('brand.retention', { brand }), enabled: may.own === undefined })
  return (
    <Panel title="Retention">
      {may.own === undefined ? (
        <Async query={kept} skeleton={<SkeletonRows rows={2} />}>
          {({ retention_days }) => <RetentionForm key={retention_days} brand={brand} days={retention_days} />}
        </Async>
      ) : (
        <p className="px-8 pb-8 text-ink2 max-tablet:px-6">{may.own}</p>
      )}
    </Panel>
  )
}

export function RetentionForm({ brand, days }: { brand: string; days: number }) {
  const [typed, setTyped] = useState(String(days))
  const save = useChange('brand.retention', { changes: ['brand.retention'] })
  const [is_confirming, setConfirming] = useState(false)
  const today = useToday()
  const fault = wholeNumberFault(typed, 1, MAX_DAYS)
  const is_shorter = Number(typed) < days
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fault !== undefined) return
    if (is_shorter) setConfirming(true)
    else save.mutate({ brand, days: Number(typed) }, { onSuccess: () => announce('Saved.') })
  }
  return (
    <PanelBody>
      <form onSubmit={submit} className="max-w-260 space-y-6">
        <TextField
          label="Days for which answers are kept"
          help={
            is_shorter
              ? `Answers that are older than ${counted(Number(typed), 'day')} are permanently deleted.`
              : 'Answers, citations and mentions that are older are permanently deleted.'
          }
          type="number"
          value={typed}
          onChange={setTyped}
          fault={fault}
          is_required
        />
        <FormError error={save.error} />
        <Button type="submit" aria-busy={save.isPending}>
          Save retention
        </Button>
      </form>
      <ConfirmByTyping
        title={`Keep answers for ${counted(Number(typed), 'day')} only?`}
        expected={null}
        action="Delete older answers"
        is_open={is_confirming}
        onClose={() => setConfirming(false)}
        onConfirm={async () => {
          await save.mutateAsync({ brand, days: Number(typed) })
          announce('Saved.')
        }}
      >
        <p>
          Until now, it was {counted(days, 'day')}. Older answers, with their citations and mentions, are deleted and
          cannot be restored.
        </p>
        <LostAnswers brand={brand} {...lostRange(today, days, Number(typed))} />
      </ConfirmByTyping>
    </PanelBody>
  )
}

/** The days that a shorter retention deletes, as many as one report counts. */
export function lostRange(today: string, before: number, after: number): { from: string; to: string } {
  const to = shiftDay(today, -after - 1)
  return { from: shiftDay(to, 1 - Math.min(MAX_COUNTED, Math.max(1, before - after))), to }
}
