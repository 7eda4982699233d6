import { useState } from 'react'
import {
  AI_REPORT_SOURCES,
  type AiReportSource,
  BING_METHODS,
  type BingMethod,
} from '../../../src/contract/vocabulary.ts'
import { ImportReceipt } from '../../brand/import-receipt.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { DropZone } from '../../forms/drop-zone.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { spanText } from '../../words/days.ts'

const NOT_SAID = 'none'
const REPORT_NAMES: Record<AiReportSource, string> = { google: 'Google', bing: 'Bing', clarity: 'Microsoft Clarity' }

/** What a file of search data may not contain, as it is entered. */
interface Facts {
  property: string
  from: string
  to: string
  ai_source: string
  method: string
  page: string
}

const NO_FACTS: Facts = { property: '', from: '', to: '', ai_source: NOT_SAID, method: NOT_SAID, page: '' }

/** Imports a file. The form asks for facts that the file does not contain. */
export function ImportSearchData({ brand, onClose }: { brand: string; onClose: () => void }) {
  const [facts, setFacts] = useState(NO_FACTS)
  const imported = useChange('search_data.import', { changes: ['search_data.list', 'getUrlReport'] })
  const take = async ([file]: File[]) => {
    if (file === undefined) return
    imported.mutate({ brand, document: await file.text(), ...enteredFacts(facts) })
  }
  const receipt = imported.data
  return (
    <ModalDialog title="Import search data" is_open onClose={onClose}>
      <div className="space-y-8">
        <DropZone
          title={imported.isPending ? 'Importing' : 'Drop a file of search data here'}
          note="An export or API answer of Search Console, or of Bing Webmaster Tools: CSV or JSON, up to 16 MB."
          onFiles={(files) => void take(files)}
        />
        <FormError error={imported.error} />
        {receipt !== undefined && (
          <ImportReceipt
            {...receipt}
            what="row"
            further={
              receipt.from === null || receipt.to === null
                ? []
                : [`Days ${spanText(receipt.from, receipt.to)} of ${receipt.properties.join(', ')}.`]
            }
          />
        )}
        {/* Opened after a file was refused, because one of these facts may be missing. */}
        <details key={imported.error === null ? 'closed' : 'open'} open={imported.error !== null}>
          <summary className="link w-fit">What is not in the file</summary>
          <FactFields facts={facts} onChange={setFacts} />
        </details>
      </div>
    </ModalDialog>
  )
}

interface FactFieldsProps {
  facts: Facts
  onChange: (facts: Facts) => void
}

const FactFields = ({ facts, onChange }: FactFieldsProps) => (
  <div className="space-y-6 pt-6">
    <TextField
      label="Property"
      help="As the source names it: sc-domain:example.com or https://www.example.com/"
      value={facts.property}
      onChange={(property) => onChange({ ...facts, property })}
      is_mono
    />
    <div className="grid grid-cols-2 gap-6">
      <TextField label="First day" type="date" value={facts.from} onChange={(from) => onChange({ ...facts, from })} />
      <TextField label="Last day" type="date" value={facts.to} onChange={(to) => onChange({ ...facts, to })} />
    </div>
    <SelectField
      label="Report about AI answers of"
      selected={facts.ai_source}
      options={[
        { key: NOT_SAID, label: 'Not a report about AI answers' },
        ...AI_REPORT_SOURCES.map((key) => ({ key, label: REPORT_NAMES[key] })),
      ]}
      onSelect={(ai_source) => onChange({ ...facts, ai_source })}
    />
    <SelectField
      label="Method of Bing’s API"
      selected={facts.method}
      options={[
        { key: NOT_SAID, label: 'Not an answer of Bing’s API' },
        ...BING_METHODS.map((key) => ({ key, label: key })),
      ]}
      onSelect={(method) => onChange({ ...facts, method })}
    />
    <TextField
      label="Page of the queries"
      value={facts.page}
      onChange={(page) => onChange({ ...facts, page })}
      is_mono
    />
  </div>
)

function enteredFacts({ property, from, to, ai_source, method, page }: Facts) {
  return {
    ...(property.trim() === '' ? {} : { property: property.trim() }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(ai_source === NOT_SAID ? {} : { ai_source: ai_source as AiReportSource }),
    ...(method === NOT_SAID ? {} : { method: method as BingMethod }),
    ...(page.trim() === '' ? {} : { page: page.trim() }),
  }
}
