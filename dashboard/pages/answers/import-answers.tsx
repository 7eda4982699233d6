import { useState } from 'react'
import {
  ANSWER_EXPORTERS,
  type AnswerExporter,
  type AnswerFormat,
  type QuestionCreation,
} from '../../../src/contract/vocabulary.ts'
import { ImportReceipt } from '../../brand/import-receipt.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { DropZone } from '../../forms/drop-zone.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { useChange } from '../../read/use-change.ts'
import { counted } from '../../words/numbers.ts'

const OWN_FORM = 'own'
const CREATIONS: Record<QuestionCreation, string> = {
  none: 'Refuse answers to other questions',
  active: 'Add them as active questions',
  archived: 'Add them as archived questions',
}

/** Answers that another tool collected, from a file, with a receipt that accounts for every record. */
export default function ImportAnswers({ brand, onClose }: { brand: string; onClose: () => void }) {
  const [exporter, setExporter] = useState(OWN_FORM)
  const [creation, setCreation] = useState<QuestionCreation>('none')
  const [replaces, setReplaces] = useState(false)
  const [unreadable, setUnreadable] = useState<Error | null>(null)
  const imported = useChange('answers.import', {
    changes: ['listAnswers', 'getBrandReport', 'listQuestions', 'getUrlReport', 'getPlan'],
  })
  const take = async ([file]: File[]) => {
    if (file === undefined) return
    const format = formatOf(file.name)
    setUnreadable(format === null ? new Error(`${file.name} is not a .json, .ndjson, .jsonl or .csv file.`) : null)
    if (format === null) return
    const document = await file.text()
    const tool = exporter === OWN_FORM ? {} : { exporter: exporter as AnswerExporter }
    imported.mutate({ brand, format, ...tool, replaces, create_questions: creation, document })
  }
  const receipt = imported.data
  return (
    <ModalDialog title="Import answers" is_open onClose={onClose}>
      <div className="space-y-8">
        <SelectField
          label="Written by"
          selected={exporter}
          options={[
            { key: OWN_FORM, label: 'Spoor’s own format' },
            ...ANSWER_EXPORTERS.map((key) => ({ key, label: key.replace(/^./, (first) => first.toUpperCase()) })),
          ]}
          onSelect={setExporter}
        />
        <SelectField
          label="Questions that the brand does not have"
          selected={creation}
          options={Object.entries(CREATIONS).map(([key, label]) => ({ key, label }))}
          onSelect={(key) => setCreation(key as QuestionCreation)}
        />
        <CheckField
          label="Replace answers that changed"
          help="Otherwise, a record with a known id and different content is refused."
          checked={replaces}
          onChange={setReplaces}
        />
        <DropZone
          title={imported.isPending ? 'Importing' : 'Drop a file of answers here'}
          note="JSON, NDJSON or CSV, up to 16 MB. Nothing is sent to an engine."
          onFiles={(files) => void take(files)}
        />
        <FormError error={unreadable ?? imported.error} />
        {receipt !== undefined && (
          <ImportReceipt
            {...receipt}
            what="answer"
            further={[
              ...(receipt.questions_created_active > 0
                ? [`${counted(receipt.questions_created_active, 'question')} added as active.`]
                : []),
              ...(receipt.questions_created_archived > 0
                ? [`${counted(receipt.questions_created_archived, 'question')} added as archived.`]
                : []),
              ...(receipt.tags_left_out > 0
                ? [`${counted(receipt.tags_left_out, 'tag')} left out: a question keeps its first 10 tags.`]
                : []),
            ]}
          />
        )}
      </div>
    </ModalDialog>
  )
}

/** The format by the file extension; null: it is not supported. */
export function formatOf(name: string): AnswerFormat | null {
  const ending = /\.(json|ndjson|jsonl|csv)$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === undefined) return null
  return ending === 'jsonl' ? 'ndjson' : (ending as AnswerFormat)
}
