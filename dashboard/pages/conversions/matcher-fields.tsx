import { PickList } from '../../forms/pick-list.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { SeenPages } from '../../states/seen-pages.tsx'
import { pageKey, useSeen } from '../../states/use-seen.ts'
import { counted } from '../../words/numbers.ts'
import type { Draft, faultsOf } from './draft.ts'

interface MatcherFieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  faults: ReturnType<typeof faultsOf>
  /** The form was submitted, so errors are also shown below fields that never lost the focus. */
  is_checked: boolean
}

const KINDS = [
  { key: 'event', label: 'An event', help: 'A named event that your pages or servers send.' },
  { key: 'pageview', label: 'A page', help: 'A view of one exact page, such as /thanks.' },
] as const

/** Event or page, picked from what was observed or typed. */
export function MatcherFields(props: MatcherFieldsProps) {
  const { draft, set } = props
  return (
    <div className="space-y-8">
      <fieldset>
        <legend className="mb-3 text-dense font-medium">Kind</legend>
        <div className="grid gap-6 tablet:grid-cols-2">
          {KINDS.map(({ key, label, help }) => (
            <label
              key={key}
              className="flex cursor-pointer items-start gap-5 rounded-control border border-line px-6 py-5 has-checked:border-ink has-checked:bg-sunken"
            >
              <input
                type="radio"
                name="kind"
                className="mt-2 accent-ink"
                checked={draft.kind === key}
                onChange={() => set({ kind: key, rules: [] })}
              />
              <span>
                <span className="block font-medium">{label}</span>
                <span className="block text-small text-ink2">{help}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {draft.kind === 'event' ? <EventFields {...props} /> : <PageFields {...props} />}
    </div>
  )
}

function EventFields({ draft, set, faults, is_checked }: MatcherFieldsProps) {
  const { event_rows, events, withheld_events, has_all_events } = useSeen()
  const is_seen = event_rows.some(({ key }) => key === draft.event_name)
  return (
    <div className="grid gap-8 tablet:grid-cols-2">
      <div>
        <p className="mb-3 text-dense font-medium">Events seen in the last 30 days</p>
        <PickList
          label="Events"
          rows={event_rows}
          picked={new Set([draft.event_name])}
          onPick={(event_name) => set({ event_name, rules: event_name === draft.event_name ? draft.rules : [] })}
          empty={events.isPending ? 'Reading…' : noEventsWords(withheld_events)}
          note={
            withheld_events !== null && withheld_events > 0
              ? `${counted(withheld_events, 'name')} of few visitors withheld.`
              : undefined
          }
        />
      </div>
      <TextField
        label="Event name"
        value={draft.event_name}
        onChange={(event_name) => set({ event_name, rules: [] })}
        fault={faults.event_name}
        error={is_checked ? faults.event_name : undefined}
        is_mono
        help={
          draft.event_name !== '' && !is_seen && has_all_events
            ? 'This name was not seen in the last 30 days. It counts from its first event on.'
            : 'Pick one, or type a name that your pages will send.'
        }
      />
    </div>
  )
}

/** Why no event is listed; `withheld` is null if events are unknown. */
function noEventsWords(withheld: number | null): string {
  if (withheld === null) return 'Events are unknown.'
  return withheld === 0 ? 'No named event was observed.' : 'No event has enough visitors to be shown.'
}

function PageFields({ draft, set, faults, is_checked }: MatcherFieldsProps) {
  const { page_of, has_all_pages } = useSeen()
  const key = pageKey(draft.hostname, draft.path)
  const is_seen = page_of.has(key)
  return (
    <div className="grid gap-8 tablet:grid-cols-2">
      <SeenPages picked={new Set([key])} onPick={set} />
      <div className="space-y-8">
        <TextField
          label="Host"
          value={draft.hostname}
          onChange={(hostname) => set({ hostname })}
          is_mono
          help="Empty: the site’s own domain."
        />
        <TextField
          label="Path"
          value={draft.path}
          onChange={(path) => set({ path })}
          fault={faults.path}
          error={is_checked ? faults.path : undefined}
          is_mono
          help={
            draft.path !== '' && !is_seen && has_all_pages
              ? 'No visitor was seen on this page in the last 30 days.'
              : 'Without query string. A slash at the end makes another page.'
          }
        />
      </div>
    </div>
  )
}
