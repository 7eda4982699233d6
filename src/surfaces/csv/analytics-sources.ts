/** CSV form of analytics sources (spec 4.3): denominators first, then one record for each number of each row. */
import { isObject, type ListedObject } from './list-forms.ts'
import { type Cells, json } from './write-cells.ts'

/** Blocks that are plain lists, or null where nothing was measured. */
const LISTS = ['acquisition', 'ai_referral']
/** Numbers of a row; its other fields say what it is the row of. `sessions` begins a row. */
const NUMBERS = ['sessions', 'pageviews']

interface Block {
  dimension: string
  /** Null: nothing was measured. */
  rows: readonly ListedObject[] | null
  /** Undefined: the block has none. */
  denominator?: unknown
  /** Fields beside the rows. */
  beside: ListedObject
}

/** The records of the CSV form of analytics-sources. */
export function* sourcesRecords(answer: ListedObject): Generator<Cells> {
  const { meta, acquisition: _a, ai_referral: _r, referrers: _h, utm: _u, ...others } = answer
  const blocks = [...blocksOf(answer)]
  const utm = isObject(answer.utm) ? answer.utm : {}
  const besideBlocks = Object.fromEntries(Object.entries(utm).filter(([, block]) => !isBlock(block)))
  const rest = { ...others, ...(Object.keys(besideBlocks).length === 0 ? {} : { utm: besideBlocks }) }
  yield {
    record_type: 'meta',
    meta_json: json(meta),
    ...(Object.keys(rest).length === 0 ? {} : { value: json(rest) }),
  }
  for (const { dimension, rows, denominator } of blocks) {
    if (rows === null) yield { record_type: 'denominator', dimension, value: 'null' }
    else if (denominator !== undefined) yield { record_type: 'denominator', dimension, value: json(denominator) }
  }
  for (const block of blocks) yield* metricRecords(block)
}

function* blocksOf(answer: ListedObject): Generator<Block> {
  for (const dimension of LISTS.filter((field) => field in answer)) {
    yield { dimension, rows: answer[dimension] as ListedObject[] | null, beside: {} }
  }
  if (isObject(answer.referrers)) yield blockOf('referrers', answer.referrers)
  for (const [name, block] of Object.entries(isObject(answer.utm) ? answer.utm : {})) {
    if (isBlock(block)) yield blockOf(`utm_${name}`, block)
  }
}

const isBlock = (block: unknown): block is ListedObject => isObject(block) && Array.isArray(block.rows)

function blockOf(dimension: string, { rows, denominator, ...beside }: ListedObject): Block {
  // An unmeasured block is one record (rules 6): it says nothing but that.
  const { total_count, truncated, ...more } = beside
  const isEmpty = (rows as ListedObject[]).length === 0 && Object.keys(more).length === 0
  const isUnmeasured = isEmpty && total_count === null && truncated === false && (denominator ?? null) === null
  return isUnmeasured
    ? { dimension, rows: null, beside: {} }
    : { dimension, rows: rows as ListedObject[], denominator, beside }
}

function* metricRecords({ dimension, rows, beside }: Block): Generator<Cells> {
  // Metrics of the whole block, so the columns of identity are empty.
  for (const [metric, value] of Object.entries(beside)) {
    yield { record_type: 'metric', dimension, metric, value: json(value) }
  }
  for (const row of rows ?? []) {
    const identity = Object.fromEntries(Object.entries(row).filter(([field]) => !NUMBERS.includes(field)))
    for (const metric of NUMBERS.filter((field) => field in row)) {
      yield { record_type: 'metric', dimension, identity_json: json(identity), metric, value: json(row[metric]) }
    }
  }
}
