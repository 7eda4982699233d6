import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { wholeNumberFault } from '../../forms/number-fault.ts'
import { TextField } from '../../forms/text-field.tsx'
import { useFirstError } from '../../forms/use-first-error.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { fullCount } from '../../words/numbers.ts'
import { ENGINE_READS } from './key-form.tsx'
import type { EngineState } from './page.tsx'

const MICROS = 1_000_000
/** The limit that the service sets. */
const MAX_CALLS = 1_000_000

/** The same, in dollars, for prices and for the budget. */
const MAX_AMOUNT = 1_000_000

/** Dollars as they are typed, up to `MAX_AMOUNT`; null: not such an amount. */
export function microsOf(typed: string): number | null {
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(typed.trim()) || Number(typed) > MAX_AMOUNT) return null
  return Math.round(Number(typed) * MICROS)
}

const amountFault = (typed: string): string | undefined =>
  microsOf(typed) === null
    ? `${JSON.stringify(typed)} is not allowed; enter an amount of up to ${fullCount(MAX_AMOUNT)} such as 12.50.`
    : undefined

const FIELDS = [
  { key: 'input', label: 'Price per million input tokens, $' },
  { key: 'output', label: 'Price per million output tokens, $' },
  { key: 'search', label: 'Price per search, $' },
  { key: 'budget', label: 'Budget per month, $' },
] as const
type Key = (typeof FIELDS)[number]['key']

/** Model, prices, budget and the number of concurrent questions. */
export function EngineForm({ engine }: { engine: EngineState }) {
  const { prices, month } = engine
  const [amounts, setAmounts] = useState<Record<Key, string>>({
    input: String(prices.input_price_micros / MICROS),
    output: String(prices.output_price_micros / MICROS),
    search: String(prices.search_price_micros / MICROS),
    budget: String(month.budget_micros / MICROS),
  })
  const [model, setModel] = useState(engine.model)
  const [calls, setCalls] = useState(String(month.budget_calls))
  const [at_once, setAtOnce] = useState(String(engine.at_once))
  const [is_checked, setChecked] = useState(false)
  const { form, focusFirstError } = useFirstError<HTMLFormElement>()
  const calls_fault = wholeNumberFault(calls, 0, MAX_CALLS)
  const at_once_fault = wholeNumberFault(at_once, 1, 10)
  const shownFault = (fault: string | undefined) => ({ fault, error: is_checked ? fault : undefined })
  const configure = useChange('engine.configure', { changes: ENGINE_READS })
  const limit = useChange('engine.budget', { changes: ENGINE_READS })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const micros = Object.fromEntries(FIELDS.map(({ key }) => [key, microsOf(amounts[key])])) as Record<
      Key,
      number | null
    >
    setChecked(true)
    const faults = [at_once_fault, calls_fault, ...FIELDS.map(({ key }) => amountFault(amounts[key]))]
    if (faults.some((fault) => fault !== undefined)) return focusFirstError()
    try {
      await configure.mutateAsync({
        engine: engine.engine,
        model: model.trim(),
        at_once: Number(at_once),
        input_price_micros: micros.input as number,
        output_price_micros: micros.output as number,
        search_price_micros: micros.search as number,
      })
      await limit.mutateAsync({ engine: engine.engine, calls: Number(calls), micros: micros.budget as number })
      announce('Saved.')
    } catch {
      // Both changes keep what was refused; it is shown below.
    }
  }
  return (
    <form ref={form} onSubmit={submit} className="space-y-6">
      <div className="grid gap-6 tablet:grid-cols-3">
        <TextField label="Model" value={model} onChange={setModel} is_mono is_required />
        <TextField
          label="Concurrent questions"
          type="number"
          value={at_once}
          onChange={setAtOnce}
          {...shownFault(at_once_fault)}
        />
        <TextField
          label="Calls per month"
          type="number"
          value={calls}
          onChange={setCalls}
          {...shownFault(calls_fault)}
        />
        {FIELDS.map(({ key, label }) => (
          <TextField
            key={key}
            label={label}
            value={amounts[key]}
            {...shownFault(amountFault(amounts[key]))}
            onChange={(typed) => setAmounts({ ...amounts, [key]: typed })}
          />
        ))}
      </div>
      <FormError error={configure.error ?? limit.error} />
      <Button type="submit" aria-busy={configure.isPending || limit.isPending}>
        Save model, prices and budget
      </Button>
    </form>
  )
}
