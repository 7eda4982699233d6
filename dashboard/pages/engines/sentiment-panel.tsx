import { type FormEvent, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { CheckField } from '../../forms/check-field.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { SelectField } from '../../forms/select.tsx'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { ENGINE_WORDS } from '../../words/brand.ts'
import { ENGINE_READS } from './key-form.tsx'
import type { EngineList } from './page.tsx'

const NO_ENGINE = 'none'

/** The engine that classifies the sentiment of mentions; without one, mentions are not classified. */
export function SentimentPanel({ list: { engines, sentiment_engine } }: { list: EngineList }) {
  const [chosen, setChosen] = useState<string>(sentiment_engine ?? NO_ENGINE)
  const [accepts, setAccepts] = useState(false)
  const save = useChange('engine.sentiment', { changes: ENGINE_READS })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const engine = engines.find((one) => one.engine === chosen)?.engine ?? null
    save.mutate({ engine, accepts_sending: accepts }, { onSuccess: () => announce('Saved.') })
  }
  return (
    <Panel title="Sentiment" note="how answers speak of brands">
      <PanelBody>
        <form onSubmit={submit} className="max-w-260 space-y-6">
          <SelectField
            label="Classified by"
            selected={chosen}
            options={[
              { key: NO_ENGINE, label: 'No engine: mentions are not classified' },
              ...engines
                .filter(({ has_key }) => has_key)
                .map(({ engine }) => ({ key: engine, label: ENGINE_WORDS[engine] })),
            ]}
            onSelect={setChosen}
          />
          {chosen !== NO_ENGINE && (
            <CheckField
              label="Send texts of answers to this engine"
              help="The whole text of each answer that names a brand or competitor leaves this machine, except answers of Gemini and of engines that are only imported. Each call counts against its budget."
              checked={accepts}
              onChange={setAccepts}
            />
          )}
          <FormError error={save.error} />
          <Button type="submit" aria-busy={save.isPending}>
            Save
          </Button>
        </form>
      </PanelBody>
    </Panel>
  )
}
