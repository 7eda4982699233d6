/** Events by name, with their declared properties, and where links and downloads led (rules 6.15). */
import Type from 'typebox'
import { Count, closed, ObservedCount, oneOf, orNull } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, include, window } from '../parameters.ts'
import { envelopeFields } from '../tracker-meta.ts'
import { COUNT_QUALITIES, SCALAR_KINDS, WINDOWS } from '../vocabulary.ts'

/** Rows of a list; of more there is the number. */
export const MAX_EVENT_ROWS = 200

const visitor_days = Type.Union([Count, Type.Null()], {
  description:
    'Distinct visitors of each UTC day, added up; 0 when only servers sent it, null when visits are unknown.',
})

const EventValue = Type.Object(
  { value: Type.String({ description: 'A declared value; `true` or `false` of a boolean.' }), events: ObservedCount },
  { title: 'EventValue' },
)

const EventProperty = Type.Object(
  {
    key: Type.String({ description: 'As it was declared.' }),
    scalar_kind: oneOf(SCALAR_KINDS, 'What it was declared as.'),
    events: orNull(ObservedCount, 'Events of this name that carry it; null when it is withheld.'),
    values: Type.Union([Type.Array(EventValue), Type.Null()], {
      description:
        'Of an enum or a boolean: the observed values by events descending. Null of an integer, and when it is withheld.',
    }),
    sum: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Of an integer: the sum of its values. Null of other kinds, past 2^53-1, and when it is withheld.',
    }),
    withheld: Type.Boolean({
      description: 'True when fewer visitors than the privacy floor sent it or one of its values.',
    }),
  },
  { title: 'EventProperty' },
)

const NamedEvent = Type.Object(
  {
    name: Type.String({ description: 'As it was sent; sales and refunds without a name of their own are `revenue`.' }),
    events: Type.Integer({ ...ObservedCount, description: 'Events of browsers and of servers.' }),
    server_events: Type.Integer({ ...Count, description: "Those of them that the customer's servers sent." }),
    visitor_days,
    properties: Type.Array(EventProperty, { description: 'Declared properties that were observed, by key.' }),
  },
  { title: 'NamedEvent' },
)

const listFields = {
  returned_count: Type.Integer({ minimum: 0, maximum: MAX_EVENT_ROWS, description: 'Rows of the list.' }),
  total_count: orNull(Count, 'Rows that could be listed; null when it is unknown.'),
  withheld_count: Type.Union([Count, Type.Null()], {
    description:
      'Rows that are left out because fewer visitors than the privacy floor sent them; null when it is unknown.',
  }),
  truncated: Type.Boolean({ description: `True when more than ${MAX_EVENT_ROWS} rows could be listed.` }),
}

export const getAnalyticsEvents = defineSiteOperation({
  id: 'getAnalyticsEvents',
  ...analyticsRead,
  path: '/v1/sites/{site}/events',
  summary: 'Tracker events by name, outbound hosts and downloaded files',
  description: `Each list has the ${MAX_EVENT_ROWS} rows with the most events. Pageviews are in the other answers.`,
  query: Type.Object({ window, include }),
  output: Type.Object(
    {
      meta: Type.Object(envelopeFields('analytics-events/v1', 'events/v1', WINDOWS)),
      quality: oneOf(COUNT_QUALITIES, '`observed_lower_bound` when events are missing from the window.'),
      privacy_floor: Type.Integer({
        minimum: 0,
        description: 'Rows of fewer visitors are left out, and such properties withheld; 0 leaves out nothing.',
      }),
      event_count: orNull(Type.Integer({ ...Count, description: 'Events of all names that are not left out.' })),
      events: Type.Object(
        { ...listFields, rows: Type.Array(NamedEvent) },
        { title: 'NamedEvents', description: 'Events by name, the most frequent first.' },
      ),
      outbound_hosts: Type.Object(
        {
          ...listFields,
          rows: Type.Array(closed({ host: Type.String(), events: ObservedCount, visitor_days })),
        },
        { title: 'OutboundHosts', description: 'Hosts that links led to, of events `outbound_link`.' },
      ),
      downloads: Type.Object(
        {
          ...listFields,
          rows: Type.Array(closed({ file_name: Type.String(), events: ObservedCount, visitor_days })),
        },
        { title: 'Downloads', description: 'Names of files, by path/v1, of events `file_download`.' },
      ),
    },
    { title: 'AnalyticsEvents' },
  ),
  unavailable_title: 'analytics events unavailable',
})
export type AnalyticsEvents = OutputOf<typeof getAnalyticsEvents>
export type AnalyticsEventsInput = InputOf<typeof getAnalyticsEvents>
