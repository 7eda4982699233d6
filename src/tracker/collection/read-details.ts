/** Reads the name, properties, revenue and id of an event (rules 6). */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import { describeValue, EventFault } from './collect-refusal.ts'
import { CURRENCIES } from './currencies.ts'
import { type EventInput, isJsonObject } from './split-request.ts'
import { type DeclaredProperty, propertyName, type TrackerSite } from './tracker-key-lookup.ts'

const NAME = /^[A-Za-z][A-Za-z0-9 _.-]{0,63}$/
const RESERVED = new Set(['pageview', 'revenue'])
const MAX_PROPERTIES = 50
const MAX_ORDER_ID_CHARACTERS = 128
const ID = /^[A-Za-z0-9_-]{8,64}$/
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

export type EventKind = 'pageview' | 'event' | 'revenue'

/** The name under which an event is stored; empty for a pageview. @throws EventFault. */
export function readName(kind: EventKind, name: unknown): string {
  if (kind === 'pageview') {
    if (name === undefined || name === null) return ''
    throw new EventFault('unexpected_name', 'A pageview has no name; leave name out, or send type "event".')
  }
  if (kind === 'revenue' && (name === undefined || name === null || name === 'revenue')) return 'revenue'
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new EventFault(
      'invalid_name',
      `name is ${describeValue(name)}; allowed are 1 to 64 letters, digits, blanks and _ . - that begin with a letter.`,
    )
  }
  if (!RESERVED.has(name)) return name
  throw new EventFault(
    'reserved_name',
    `name is ${describeValue(name)}, which is reserved; choose another, or send that type.`,
  )
}

/** The properties as a JSON object of texts, `{}` for none. All must be declared. @throws EventFault. */
export function readProperties(name: string, props: unknown, site: TrackerSite): string {
  if (props === undefined || props === null) return '{}'
  if (!isJsonObject(props)) {
    throw new EventFault('invalid_props', `props is ${describeValue(props)}; send an object of declared properties.`)
  }
  const given = Object.entries(props)
  if (given.length === 0) return '{}'
  if (given.length > MAX_PROPERTIES) {
    throw new EventFault('too_many_properties', `props has ${given.length} keys; send at most ${MAX_PROPERTIES}.`)
  }
  const values = given.map(([key, value]) => {
    const declared = site.properties.get(propertyName(name, key))
    if (declared === undefined) throw undeclared(name, key)
    return `${JSON.stringify(key)}:${JSON.stringify(readScalar(key, value, declared))}`
  })
  return `{${values.join(',')}}`
}

const ALLOWED: Readonly<Record<DeclaredProperty['scalar_kind'], string>> = {
  integer: 'a whole number up to 2^53-1',
  boolean: 'true or false',
  enum: 'a text',
}

function readScalar(key: string, value: unknown, { scalar_kind, values }: DeclaredProperty): string {
  const kind = scalar_kind === 'enum' ? 'string' : scalar_kind
  const fits = kind === 'integer' ? Number.isSafeInteger(value) : typeof value === kind
  if (!fits) {
    throw new EventFault(
      'wrong_scalar',
      `The property ${describeValue(key)} is ${describeValue(value)}; it is declared as ${ALLOWED[scalar_kind]}.`,
    )
  }
  // TRICKY: -0 is a safe integer, too; String() makes it '0'.
  const text = String(value)
  if (scalar_kind !== 'enum' || values.has(text)) return text
  throw new EventFault(
    'unknown_enum_value',
    `The property ${describeValue(key)} is ${describeValue(value)}; send one of its declared values, or declare this one.`,
  )
}

const undeclared = (name: string, key: string) =>
  new EventFault(
    'undeclared_property',
    name === ''
      ? `The pageview has the property ${describeValue(key)}, and pageviews have none; leave props out, or send a named event beside it.`
      : `The property ${describeValue(key)} is not declared for the event ${describeValue(name)}; declare it ({next}), or leave it out.`,
    name === '' ? undefined : { step: 'property.add' },
  )

export interface Revenue {
  kind: 'sale' | 'refund'
  amount_minor: number
  currency: string
  order_id: string | null
}

const REVENUE_FIELDS = new Set(['amount_minor', 'currency', 'order_id', 'kind'])

/** The revenue of an event; null for other kinds of events. @throws EventFault. */
export function readEventRevenue(kind: EventKind, given: unknown, from_server: boolean): Revenue | null {
  if (kind !== 'revenue') {
    if (given === undefined || given === null) return null
    throw new EventFault('unexpected_revenue', `An event of type "${kind}" carries no revenue; send type "revenue".`)
  }
  if (!isJsonObject(given)) {
    throw new EventFault('missing_revenue', 'revenue is missing; send {"amount_minor": 1999, "currency": "EUR"}.')
  }
  for (const field of Object.keys(given)) if (!REVENUE_FIELDS.has(field)) throw unknownField(`revenue.${field}`)
  const { amount_minor, currency } = given
  if (typeof amount_minor !== 'number' || !Number.isSafeInteger(amount_minor) || amount_minor < 1) {
    throw new EventFault(
      'invalid_amount',
      `revenue.amount_minor is ${describeValue(amount_minor)}; send a whole number of minor units (cents) from 1 to 2^53-1.`,
    )
  }
  if (typeof currency !== 'string' || !CURRENCIES.has(currency)) {
    throw new EventFault(
      'unknown_currency',
      `revenue.currency is ${describeValue(currency)}; send a code of ISO 4217 in capitals, for example EUR.`,
    )
  }
  const order_id = readOrderId(given.order_id)
  return { kind: readKind(given, order_id, from_server), amount_minor, currency, order_id }
}

function readOrderId(given: unknown): string | null {
  if (given === undefined || given === null) return null
  // Lone surrogates would all have the same hash.
  const isText = typeof given === 'string' && given.isWellFormed()
  if (isText && given.length >= 1 && given.length <= MAX_ORDER_ID_CHARACTERS) return given
  throw new EventFault(
    'invalid_order_id',
    `revenue.order_id is ${describeValue(given)}; send a text of 1 to ${MAX_ORDER_ID_CHARACTERS} characters, or leave it out.`,
  )
}

function readKind({ kind }: EventInput, order_id: string | null, from_server: boolean): Revenue['kind'] {
  if (kind === undefined || kind === null || kind === 'sale') return 'sale'
  if (kind !== 'refund') {
    throw new EventFault('invalid_revenue_kind', `revenue.kind is ${describeValue(kind)}; send "sale" or "refund".`)
  }
  if (!from_server) {
    throw new EventFault('refund_from_browser', 'A browser cannot refund; send it from your server to /collect/server.')
  }
  if (order_id !== null) return 'refund'
  throw new EventFault('refund_without_order_id', 'A refund needs the order it belongs to; send revenue.order_id.')
}

/**
 * The sender's id of an event, which identifies a retry. Without one the event gets a new id, and a retry counts as
 * another event. @throws EventFault invalid_id, id_from_the_future.
 */
export function readEventId(id: unknown, now: number): string {
  if (id === undefined || id === null) return randomUUID()
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new EventFault(
      'invalid_id',
      `id is ${describeValue(id)}; send 8 to 64 letters, digits, _ or -, new for every event, or leave it out.`,
    )
  }
  const [, high, low] = UUID_V7.exec(id) ?? []
  if (high === undefined || Number.parseInt(`${high}${low}`, 16) <= now + DAY_MS) return id
  throw new EventFault(
    'id_from_the_future',
    'id is a UUID of version 7 whose time is more than 24 hours ahead; set the clock of the sender right, or send a random id.',
  )
}

export const unknownField = (field: string) =>
  new EventFault('unknown_field', `The field ${describeValue(field)} is unknown; leave it out.`)
