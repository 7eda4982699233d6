import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayOnBrand } from '../../brand/use-may-edit.ts'
import { Button } from '../../controls/button.tsx'
import { ConfirmByTyping } from '../../forms/confirm-by-typing.tsx'
import { FormError } from '../../forms/form-error.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { announce } from '../../shell/announce.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { costText, ENGINE_WORDS } from '../../words/brand.ts'
import { counted } from '../../words/numbers.ts'

type Plan = ReadOutput<'answers.classification'>

const RUNNING_MS = 5_000
const CHANGES = ['answers.classification', 'getBrandReport', 'listAnswers'] as const

/** Unclassified mentions, the cost of classifying them, and the result of the last round. */
export function ClassifyPanel({ brand }: { brand: string }) {
  const may = useMayOnBrand()
  const plan = useQuery({
    ...readQuery('answers.classification', { brand }),
    enabled: may.edit === undefined,
    refetchInterval: ({ state }) => (state.data?.last?.state === 'running' ? RUNNING_MS : false),
  })
  return (
    <Panel title="Sentiment of stored answers" note="how answers speak of the brand and its competitors">
      {may.edit === undefined ? (
        <Async query={plan} skeleton={<SkeletonRows rows={2} />}>
          {(known) => <ClassifyForm brand={brand} plan={known} />}
        </Async>
      ) : (
        <p className="px-8 pb-8 text-ink2 max-tablet:px-6">{may.edit}</p>
      )}
    </Panel>
  )
}

export function ClassifyForm({ brand, plan }: { brand: string; plan: Plan }) {
  const [is_asking, setAsking] = useState(false)
  const start = useChange('answers.classify', { changes: CHANGES })
  const cancel = useChange('answers.classify_cancel', { changes: CHANGES })
  const { engine, answers, at_most_micros, last } = plan
  const is_running = last?.state === 'running'
  return (
    <PanelBody>
      <div className="max-w-260 space-y-6">
        <p className="text-ink2">{planWords(plan)}</p>
        {last !== null && <p className="text-small text-ink2">{lastWords(last)}</p>}
        <FormError error={cancel.error} />
        {is_running ? (
          <Button onClick={() => cancel.mutate({ brand }, { onSuccess: () => announce('Stopped.') })}>
            Stop classifying
          </Button>
        ) : (
          engine !== null && answers > 0 && <Button onClick={() => setAsking(true)}>Classify them</Button>
        )}
      </div>
      {is_asking && (
        <ConfirmByTyping
          title={`Classify ${counted(answers, 'answer')}`}
          expected={null}
          action={`Pay up to ${costText(at_most_micros)}`}
          is_open
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await start.mutateAsync({ brand, at_most_micros })
            announce('Started.')
          }}
        >
          {planWords(plan)}
        </ConfirmByTyping>
      )}
    </PanelBody>
  )
}

export function planWords({ engine, answers, left_out, estimate_micros, at_most_micros }: Plan): string {
  const rest = left_out === 0 ? '' : ` ${counted(left_out, 'answer')} may not be sent to another provider.`
  if (answers === 0) return `Every mention that may be classified has been classified.${rest}`
  const open = `${counted(answers, 'answer')} with unclassified mentions.${rest}`
  if (engine === null)
    return `${open} No engine is chosen to classify them: an admin of the account chooses one on the Engines page.`
  const price = `about ${costText(estimate_micros)}, and at most ${costText(at_most_micros)}`
  return `${open} Their texts would go to ${ENGINE_WORDS[engine]}, for ${price}.`
}

const ENDS: Record<NonNullable<NonNullable<Plan['last']>['code']>, string> = {
  done: 'It has finished.',
  price_reached: 'It stopped at the agreed price.',
  budget_used: 'It stopped because the monthly budget is used up.',
  engine_off: 'It stopped because the engine was switched off.',
  bad_key: 'It stopped because the key was not accepted.',
  no_credit: 'It stopped because the provider account has no credit left.',
  model_unknown: 'It stopped because the provider does not know the model.',
}

export function lastWords({
  state,
  code,
  asked,
  answers,
  classified,
  spent_micros,
}: NonNullable<Plan['last']>): string {
  const end_without_code = state === 'running' ? 'It is running.' : 'It was stopped.'
  const end = code === null ? end_without_code : ENDS[code]
  return `The last round sent ${asked} of ${counted(answers, 'answer')} and classified ${classified}, for ${costText(spent_micros)}. ${end}`
}
