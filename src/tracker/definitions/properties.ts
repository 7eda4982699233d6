/** Declared properties of events. Others are not stored (decisions 5). Changes need `edit_definitions`. */

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { PropertyRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { isName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import { refuseRemoved } from './effective-from.ts'
import { checkEventName, checkPropertyKey } from './event-names.ts'
import { findLatestConversions } from './latest-revisions.ts'
import { MAX_ENUM_VALUES, MAX_NAME_LENGTH, MAX_PROPERTIES } from './limits.ts'
import { misfit } from './property-rules.ts'

/** One revision; instants in epoch milliseconds. */
export interface Property extends Omit<PropertyRow, 'enum_values'> {
  /** The declared values of an enum; null for the other kinds. */
  enum_values: string[] | null
}

export interface NamedProperty {
  site_id: string
  event_name: string
  property_key: string
}

interface Kind {
  scalar_kind: PropertyRow['scalar_kind']
  /** For an enum: 1 to 50 different values of 1 to 64 characters. */
  enum_values?: readonly string[] | undefined
}

/**
 * Declares a property. One that was ended before gets its next revision.
 * @throws Refusal invalid_input, conflict (declared already, 500 in force).
 */
export async function declareProperty(
  { control, clock }: ControlContext,
  asked: NamedProperty & Kind,
): Promise<Property> {
  const { site_id } = asked
  const named = {
    site_id,
    event_name: checkEventName(asked.event_name),
    property_key: checkPropertyKey(asked.property_key),
  }
  if (named.event_name === 'pageview') {
    throw new Refusal('invalid_input', 'Pageviews have no properties: send a named event with the property as well.')
  }
  const kind = checkKind(asked)
  return control.transaction(async (trx) => {
    await refuseRemoved(trx, site_id)
    const inForce = await findPropertiesInForce(trx, site_id)
    if (inForce.some((row) => row.event_name === named.event_name && row.property_key === named.property_key)) {
      throw new Refusal('conflict', `${nameOf(named)} is declared already: change it ({next}).`, {
        next: { step: 'property.edit' },
      })
    }
    if (inForce.length >= MAX_PROPERTIES) {
      throw new Refusal(
        'conflict',
        `The site has ${MAX_PROPERTIES} properties in force, the most that it may have: end one first.`,
      )
    }
    return insertRevision(trx, named, kind, clock.now())
  })
}

/**
 * Changes the kind or the values. A new revision replaces the old one at once. An edit that changes nothing creates no
 * revision. Without `enum_values`, an enum keeps its values.
 * @throws Refusal invalid_input, not_found (not in force), conflict (makes a rule of an active conversion invalid).
 */
export function editProperty(
  { control, clock }: ControlContext,
  asked: NamedProperty & Partial<Kind>,
): Promise<Property> {
  return control.transaction(async (trx) => {
    const old = await findInForce(trx, asked)
    const scalar_kind = asked.scalar_kind ?? old.scalar_kind
    const kept = scalar_kind === 'enum' && old.enum_values !== null ? old.enum_values : undefined
    const kind = checkKind({ scalar_kind, enum_values: asked.enum_values ?? kept })
    if (kind.scalar_kind === old.scalar_kind && isDeepStrictEqual(kind.enum_values, old.enum_values)) return old
    const broken = await conversionsWith(trx, old, (rule) => misfit(rule, kind) !== null)
    if (broken.length > 0) {
      throw new Refusal(
        'conflict',
        `${nameOf(old)} cannot be changed like this: rules of these conversions would no longer be valid: ${broken.join(', ')}. Edit or archive them first.`,
      )
    }
    const now = clock.now()
    await endRevision(trx, old, now)
    return insertRevision(trx, old, kind, now)
  })
}

/**
 * Ends a property. Events with this property are refused from now on; stored events keep it.
 * @throws Refusal not_found (not in force), conflict (an active conversion has a rule for it).
 */
export function endProperty({ control, clock }: ControlContext, asked: NamedProperty): Promise<Property> {
  return control.transaction(async (trx) => {
    const old = await findInForce(trx, asked)
    const users = await conversionsWith(trx, old, () => true)
    if (users.length > 0) {
      throw new Refusal(
        'conflict',
        `${nameOf(old)} is used by these conversions: ${users.join(', ')}. Edit or archive them first.`,
      )
    }
    const ended_at = await endRevision(trx, old, clock.now())
    return { ...old, ended_at }
  })
}

/** All revisions of a site's properties, by event, key and revision. */
export async function listProperties(
  { control }: Pick<ControlContext, 'control'>,
  site_id: string,
): Promise<Property[]> {
  return (await rowsOf(control.db, site_id).execute()).map(propertyOf)
}

/** The properties that the collector stores and that rules may use, by event and key; at most 500. */
export async function findPropertiesInForce(db: ControlDb, site_id: string): Promise<Property[]> {
  return (await rowsOf(db, site_id).where('ended_at', 'is', null).execute()).map(propertyOf)
}

const nameOf = ({ event_name, property_key }: NamedProperty) => `The property ${property_key} of ${event_name}`

function rowsOf(db: ControlDb, site_id: string) {
  return db
    .selectFrom('properties')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('event_name')
    .orderBy('property_key')
    .orderBy('revision')
}

function propertyOf({ enum_values, ...row }: PropertyRow): Property {
  return { ...row, enum_values: enum_values === null ? null : JSON.parse(enum_values) }
}

function checkKind({ scalar_kind, enum_values }: Kind): Pick<Property, 'scalar_kind' | 'enum_values'> {
  if (scalar_kind !== 'enum') {
    if (enum_values === undefined) return { scalar_kind, enum_values: null }
    throw new Refusal(
      'invalid_input',
      `Only enums have values; this property is of the kind ${scalar_kind}: leave enum_values out.`,
    )
  }
  const values = enum_values === undefined ? [] : [...enum_values]
  if (values.length < 1 || values.length > MAX_ENUM_VALUES) {
    throw new Refusal('invalid_input', `An enum has 1 to ${MAX_ENUM_VALUES} values; ${values.length} were given.`)
  }
  const wrong = values.find((value) => !isName(value))
  if (wrong !== undefined) {
    throw new Refusal(
      'invalid_input',
      `${quoted(wrong)} cannot be a value of an enum: give 1 to ${MAX_NAME_LENGTH} characters, some of them visible, and no control characters.`,
    )
  }
  const repeated = values.find((value, at) => values.indexOf(value) < at)
  if (repeated !== undefined) {
    throw new Refusal('invalid_input', `The enum has the value ${quoted(repeated)} twice: give each value once.`)
  }
  return { scalar_kind, enum_values: values }
}

async function findInForce(trx: ControlTransaction, { site_id, event_name, property_key }: NamedProperty) {
  const row = await rowsOf(trx, site_id)
    .where((is) => is.and({ event_name, property_key }))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (row !== undefined) return propertyOf(row)
  throw new Refusal(
    'not_found',
    `The event ${quoted(event_name)} has no property ${quoted(property_key)} in force: {next} shows them.`,
    { next: { step: 'property.list' } },
  )
}

type Rule = Parameters<typeof misfit>[0]

/** Names of the active conversions with a rule for this property that `is` is true for, sorted. */
async function conversionsWith(trx: ControlTransaction, property: NamedProperty, is: (rule: Rule) => boolean) {
  const active = (await findLatestConversions(trx, property.site_id)).filter((row) => row.archived_at === null)
  const using = active.filter(({ matcher }) =>
    matcher.property_rules.some(
      (rule) => rule.event_name === property.event_name && rule.property_key === property.property_key && is(rule),
    ),
  )
  return using.map((row) => row.name).sort()
}

/** Ends a revision; never before its start, even if the clock went back. Returns the instant, epoch milliseconds. */
async function endRevision(trx: ControlTransaction, { id, created_at }: Property, now: number): Promise<number> {
  const ended_at = Math.max(now, created_at)
  await trx.updateTable('properties').set({ ended_at }).where('id', '=', id).execute()
  return ended_at
}

async function insertRevision(
  trx: ControlTransaction,
  { site_id, event_name, property_key }: NamedProperty,
  { scalar_kind, enum_values }: Pick<Property, 'scalar_kind' | 'enum_values'>,
  now: number,
): Promise<Property> {
  const last = (
    await rowsOf(trx, site_id).where('event_name', '=', event_name).where('property_key', '=', property_key).execute()
  ).at(-1)
  const row = {
    id: randomUUID(),
    site_id,
    event_name,
    property_key,
    scalar_kind,
    revision: last === undefined ? 1 : last.revision + 1,
    created_at: now,
    ended_at: null,
  }
  const stored = enum_values === null ? null : JSON.stringify(enum_values)
  await trx
    .insertInto('properties')
    .values({ ...row, enum_values: stored })
    .execute()
  return { ...row, enum_values }
}
