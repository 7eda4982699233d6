import { type FormEvent, useState } from 'react'
import type { AddedQuestions } from '../../../src/contract/account-api/index.ts'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { TextArea } from '../../forms/text-area.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useFirstError } from '../../forms/use-first-error.ts'
import { Refusal } from '../../read/refusal.ts'
import { useChange } from '../../read/use-change.ts'
import { Panel } from '../../states/panel.tsx'
import { counted } from '../../words/numbers.ts'
import { AddedLines } from './added-lines.tsx'

const MAX_LINES = 100
const NOTHING_WRITTEN = 'No question was entered; enter one per line.'

export const questionLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Adds many questions at once, one per line, and shows the result of each line. */
export default function AddQuestions({ brand, onClose }: { brand: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [country, setCountry] = useState('')
  const [tags, setTags] = useState('')
  const [is_submitted, setSubmitted] = useState(false)
  const { form, focusFirstError } = useFirstError<HTMLFormElement>()
  const [sent, setSent] = useState<readonly string[]>([])
  const added = useChange('addQuestions', { changes: ['listQuestions', 'getPlan', 'getBrandReport'] })
  const lines = questionLines(text)
  const too_many =
    lines.length > MAX_LINES
      ? new Error(`There are ${lines.length} lines; at most ${MAX_LINES} can be added at once.`)
      : null
  const no_country =
    country.trim() === '' || /^[a-z]{2}$/i.test(country.trim())
      ? undefined
      : `${JSON.stringify(country.trim())} is not a country code; use two letters such as DE, or leave it empty.`
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (lines.length === 0 || too_many !== null || no_country !== undefined) return focusFirstError()
    const shared = {
      ...(country.trim() === '' ? {} : { country: country.trim().toUpperCase() }),
      ...(tags.trim() === '' ? {} : { tags: tags.split(',').map((tag) => tag.trim()) }),
    }
    setSent(lines)
    added.mutate(
      { brandId: brand, questions: lines.map((line) => ({ text: line, ...shared })) },
      // Lines that were not added stay in the field, so that nothing typed is lost.
      { onSuccess: (answer) => setText(rest(lines, answer)) },
    )
  }
  return (
    <Panel
      title="Add questions"
      actions={
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      }
    >
      <form ref={form} onSubmit={submit} className="space-y-8 px-8 pb-8 max-tablet:px-6">
        <TextArea
          label="Questions, one per line"
          help="Up to 300 characters each. Engines are asked word for word; a question that names the brand is branded."
          rows={6}
          value={text}
          onChange={setText}
          error={
            too_many?.message ??
            (is_submitted && lines.length === 0 && added.data === undefined ? NOTHING_WRITTEN : undefined)
          }
        />
        <div className="grid gap-8 tablet:grid-cols-2">
          <TextField
            label="Country for all of them (optional)"
            help="Two letters such as DE."
            value={country}
            fault={no_country}
            error={is_submitted ? no_country : undefined}
            onChange={setCountry}
          />
          <TextField
            label="Tags for all of them (optional)"
            help="Separated by commas, at most 10."
            value={tags}
            onChange={setTags}
          />
        </div>
        <FormError error={lineFaults(added.error)} />
        <Button type="submit" kind="primary" aria-busy={added.isPending}>
          {added.isPending ? 'Adding' : addWords(lines.length)}
        </Button>
        {added.data !== undefined && <AddedLines brand={brand} lines={sent} answer={added.data} />}
      </form>
    </Panel>
  )
}

const addWords = (count: number) => (count === 0 ? 'Add questions' : `Add ${counted(count, 'question')}`)

const rest = (lines: readonly string[], { rejected }: AddedQuestions) =>
  rejected
    .filter(({ code }) => code === 'limit_reached')
    .map(({ index }) => lines[index])
    .join('\n')

/** The service refuses all lines if one is malformed; the error names that line. */
export function lineFaults(error: Error | null): Error | null {
  if (!(error instanceof Refusal) || error.errors.length === 0) return error
  const faults = error.errors.map(({ field, detail }) => {
    const index = /^questions\.(\d+)/.exec(field)?.[1]
    return index === undefined ? detail : `Line ${Number(index) + 1}: ${detail}`
  })
  return new Error(`Nothing was added. ${[...new Set(faults)].join(' ')}`)
}
