import { useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import type { Changes } from '../../read/operations.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { costText, ENGINE_WORDS, failureWords } from '../../words/brand.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { ENGINE_READS } from './key-form.tsx'
import type { EngineState } from './page.tsx'

/** Buttons that test the engine, switch it on and off, and delete its key. */
export function EngineActions({ engine: { engine, is_enabled, has_key } }: { engine: EngineState }) {
  const [is_removing, setRemoving] = useState(false)
  const test = useChange('engine.test', { changes: ENGINE_READS })
  const enable = useChange('engine.enable', { changes: ENGINE_READS })
  const disable = useChange('engine.disable', { changes: ENGINE_READS })
  const remove = useChange('engine.remove', { changes: ENGINE_READS })
  const name = ENGINE_WORDS[engine] ?? engine
  if (!has_key) return null
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap gap-4">
        <Button aria-busy={test.isPending} onClick={() => test.mutate({ engine })}>
          {test.isPending ? 'Asking' : 'Test with one question'}
        </Button>
        {is_enabled ? (
          <Button onClick={() => disable.mutate({ engine }, { onSuccess: () => announce(`${name} is switched off.`) })}>
            Switch off
          </Button>
        ) : (
          <Button onClick={() => enable.mutate({ engine }, { onSuccess: () => announce(`${name} is switched on.`) })}>
            Switch on
          </Button>
        )}
        <Button kind="quiet" onClick={() => setRemoving(true)}>
          Delete the key
        </Button>
      </div>
      {test.data !== undefined && (
        <p role="status" className={test.data.state === 'answered' ? 'text-ok' : 'text-bad'}>
          {testWords(test.data)}
        </p>
      )}
      <FormError error={test.error ?? enable.error ?? disable.error} />
      {is_removing && (
        <ConfirmByTyping
          title={`Delete the key of ${name}`}
          expected={null}
          action="Delete the key"
          is_open
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await remove.mutateAsync({ engine })
            announce('Deleted. Its answers are kept.')
          }}
        >
          Key, model, prices and budget are deleted, and {name} is no longer asked. Its answers are kept.
        </ConfirmByTyping>
      )}
    </div>
  )
}

/** "It answered as gpt-5-mini, for $0.0021." */
export function testWords({ state, code, message, model, cost_micros }: Changes['engine.test']['output']): string {
  if (state === 'answered') {
    return `It answered${model === null ? '' : ` as ${visibleText(model)}`}, for ${costText(cost_micros)}.`
  }
  const why = [code === null ? null : failureWords(code), message === null ? null : visibleText(message)]
  return `It did not answer: ${why.filter((part) => part !== null).join('. ') || 'no reason was given'}`
}
