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

/** Imports a file. The form asks for facts that the file does not contain. */
export function ImportSearchData({ brand, onClose }: { brand: string; onClose: () => void }) {
  const [property, setProperty] = useState('')
  const [days, setDays] = useState({ from: '', to: '' })
  const [ai, setAi] = useState(NOT_SAID)
  const [method, setMethod] = useState(NOT_SAID)
  const [page, setPage] = useState('')
  const imported = useChange('search_data.import', { changes: ['search_data.list', 'getUrlReport'] })
  const take = async ([file]: File[]) => {
    if (file === undefined) return
    imported.mutate({
      brand,
      document: await file.text(),
      ...(property.trim() === '' ? {} : { property: property.trim() }),
      ...(days.from === '' ? {} : { from: days.from }),
      ...(days.to === '' ? {} : { to: days.to }),
      ...(ai === NOT_SAID ? {} : { ai_source: ai as AiReportSource }),
      ...(method === NOT_SAID ? {} : { method: method as BingMethod }),
      ...(page.trim() === '' ? {} : { page: page.trim() }),
    })
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
          <div className="space-y-6 pt-6">
            <TextField
              label="Property"
              help="As the source names it: sc-domain:example.com or https://www.example.com/"
              value={property}
              onChange={setProperty}
              is_mono
            />
            <div className="grid grid-cols-2 gap-6">
              <TextField
                label="First day"
                type="date"
                value={days.from}
                onChange={(from) => setDays({ ...days, from })}
              />
              <TextField label="Last day" type="date" value={days.to} onChange={(to) => setDays({ ...days, to })} />
            </div>
            <SelectField
              label="Report about AI answers of"
              selected={ai}
              options={[
                { key: NOT_SAID, label: 'Not a report about AI answers' },
                ...AI_REPORT_SOURCES.map((key) => ({ key, label: REPORT_NAMES[key] })),
              ]}
              onSelect={setAi}
            />
            <SelectField
              label="Method of Bing’s API"
              selected={method}
              options={[
                { key: NOT_SAID, label: 'Not an answer of Bing’s API' },
                ...BING_METHODS.map((key) => ({ key, label: key })),
              ]}
              onSelect={setMethod}
            />
            <TextField label="Page of the queries" value={page} onChange={setPage} is_mono />
          </div>
        </details>
      </div>
    </ModalDialog>
  )
}
