/** CSV of the overview (spec 4.3): four columns in its first version, five with `meta_json` in its second. */
import { getAnalyticsOverview } from '#contract/site-api/overview.ts'
import { isObject, type ListedObject } from './list-forms.ts'
import { type Cells, json } from './write-cells.ts'

/** Fields beside `metrics` that have records of their own, by the record that they belong to. */
const OF_ANSWER = ['averaged_sessions', 'closed_sessions', 'excluded']
const OF_COMPARISON = ['from', 'to', 'measurement', 'averaged_sessions', 'closed_sessions']

/** The columns of the version that the answer is of. */
export function overviewColumns(answer: ListedObject): readonly string[] {
  const { header, while_closed } = getAnalyticsOverview.csv
  return (isSecond(answer) ? header : while_closed.header).split(',')
}

/** The records of the CSV form of overview. */
export function* overviewRecords(answer: ListedObject): Generator<Cells> {
  const { meta, metrics: _metrics, trend, comparison, ...others } = answer
  const current = split(answer, OF_ANSWER)
  const compared = isSecond(answer) && isObject(comparison) ? split(comparison, OF_COMPARISON) : null
  const rest = {
    ...Object.fromEntries(Object.entries(others).filter(([field]) => !OF_ANSWER.includes(field))),
    ...(compared === null && comparison !== undefined ? { comparison } : {}),
    ...ifAny('metrics', current.rest),
    ...ifAny('comparison', compared === null ? {} : comparisonRest(comparison as ListedObject, compared.rest)),
  }
  yield* metaRecords(answer, meta, rest)
  for (const [metric, value] of current.named) yield { record_type: 'metric', metric, value: json(value) }
  for (const row of Array.isArray(trend) ? trend : []) yield* trendRecords(row)
  for (const [metric, value] of compared?.named ?? []) yield { record_type: 'comparison', metric, value: json(value) }
}

const isSecond = ({ meta }: ListedObject) => isObject(meta) && meta.contract_version === 'analytics-overview/v2'

/** Fields that the form does not know, or cannot name, are an object in `value` of a meta record without name. */
function* metaRecords(answer: ListedObject, meta: unknown, rest: ListedObject): Generator<Cells> {
  if (isSecond(answer)) {
    yield { record_type: 'meta', meta_json: json(meta), ...restCell(rest) }
    return
  }
  const fields = Object.entries(isObject(meta) ? meta : {})
  const named = fields.filter(([name]) => isPlain(name))
  for (const [metric, value] of leaves(named)) yield { record_type: 'meta', metric, value: json(value) }
  const others = { ...rest, ...ifAny('meta', Object.fromEntries(fields.filter(([name]) => !isPlain(name)))) }
  if (Object.keys(others).length > 0) yield { record_type: 'meta', ...restCell(others) }
}

const restCell = (rest: ListedObject): Cells => (Object.keys(rest).length === 0 ? {} : { value: json(rest) })

function* trendRecords({ day, ...numbers }: ListedObject): Generator<Cells> {
  for (const [metric, value] of Object.entries(numbers)) {
    yield { record_type: 'trend', day: String(day), metric, value: json(value) }
  }
}

/** Fields of `metrics` by bare name, then those beside it; `rest`: metrics whose bare name means something else. */
function split(from: ListedObject, beside: readonly string[]): { named: [string, unknown][]; rest: ListedObject } {
  const metrics = Object.entries(isObject(from.metrics) ? from.metrics : {})
  const isTaken = (name: string) => !isPlain(name) || beside.includes(name)
  const others = beside.filter((field) => field in from).flatMap((field) => [...dotted(field, from[field])])
  return {
    named: [...metrics.filter(([name]) => !isTaken(name)), ...others],
    rest: Object.fromEntries(metrics.filter(([name]) => isTaken(name))),
  }
}

/** `excluded` has a record for each of its numbers; everything else is one value. */
function* dotted(field: string, value: unknown): Generator<[string, unknown]> {
  if (field !== 'excluded' || !isObject(value)) yield [field, value]
  else for (const [name, inner] of Object.entries(value)) yield [`${field}.${name}`, inner]
}

function comparisonRest(comparison: ListedObject, metrics: ListedObject): ListedObject {
  const known = new Set(['metrics', ...OF_COMPARISON])
  const others = Object.fromEntries(Object.entries(comparison).filter(([field]) => !known.has(field)))
  return { ...others, ...ifAny('metrics', metrics) }
}

const ifAny = (field: string, value: ListedObject): ListedObject =>
  Object.keys(value).length === 0 ? {} : { [field]: value }

/** A name that means one thing among dotted ones. */
const isPlain = (name: string) => name !== '' && !name.includes('.')

/** Dotted names of everything that is not an object; an object with a name that is not plain is one value. */
function* leaves(fields: readonly [string, unknown][], prefix = ''): Generator<[string, unknown]> {
  for (const [name, value] of fields) {
    const inner = isObject(value) ? Object.entries(value) : []
    const isOpen = inner.length > 0 && inner.every(([innerName]) => isPlain(innerName))
    if (isOpen) yield* leaves(inner, `${prefix}${name}.`)
    else yield [`${prefix}${name}`, value]
  }
}
