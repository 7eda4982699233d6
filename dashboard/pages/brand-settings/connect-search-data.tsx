import { type FormEvent, useState } from 'react'
import { SEARCH_SOURCES, type SearchSource } from '../../../src/contract/vocabulary.ts'
import { Button } from '../../controls/button.tsx'
import { ModalDialog } from '../../forms/dialog.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { TextArea } from '../../forms/text-area.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { SEARCH_SOURCE_WORDS } from '../../words/brand.ts'

const HELP: Record<SearchSource, { property: string; key: string }> = {
  google: {
    property: 'sc-domain:example.com or https://www.example.com/, as Search Console names it.',
    key: 'The JSON key of a service account that may read the property. It is stored encrypted and never shown again.',
  },
  bing: {
    property: 'https://www.example.com/, as Bing Webmaster Tools names it.',
    key: 'The API key of Bing Webmaster Tools. It is stored encrypted and never shown again.',
  },
}

/** The form that connects a property, which is then read daily. */
export function ConnectSearchData({ brand, onClose }: { brand: string; onClose: () => void }) {
  const [source, setSource] = useState<SearchSource>('google')
  const [property, setProperty] = useState('')
  const [key, setKey] = useState('')
  const connect = useChange('search_data.connect', { changes: ['search_data.list', 'getUrlReport'] })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    connect.mutate(
      { brand, source, property: property.trim(), key: key.trim() },
      {
        onSuccess: () => {
          announce('Connected. It is read daily.')
          onClose()
        },
      },
    )
  }
  return (
    <ModalDialog title="Connect search data" is_open onClose={onClose}>
      <form onSubmit={submit} className="space-y-8">
        <SelectField
          label="Source"
          selected={source}
          options={SEARCH_SOURCES.map((one) => ({ key: one, label: SEARCH_SOURCE_WORDS[one] }))}
          onSelect={(one) => setSource(one as SearchSource)}
        />
        <TextField
          label="Property"
          help={HELP[source].property}
          value={property}
          onChange={setProperty}
          is_mono
          is_required
        />
        <TextArea label="Key" help={HELP[source].key} value={key} onChange={setKey} is_mono />
        <FormError error={connect.error} />
        <div className="flex justify-end gap-6">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" aria-busy={connect.isPending}>
            {connect.isPending ? 'Connecting' : 'Connect'}
          </Button>
        </div>
      </form>
    </ModalDialog>
  )
}
