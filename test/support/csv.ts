/**
 * Reads CSV forms back into the answers they were made of; written from spec 4.3 and docs/tracker/csv.md, not from the
 * writer.
 */

/** RFC 4180: every record's cells; throws on anything that the grammar does not know, a missing last CRLF included. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let cells: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('a quoted cell has no end')
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') cell += text[at++]
        else break
      }
      at++
    } else {
      const end = text.slice(at).search(/[,\r\n"]/)
      if (end < 0) throw new Error('the last record has no CRLF')
      cell = text.slice(at, at + end)
      at += end
    }
    cells.push(cell)
    if (text[at] === ',') at++
    else if (text.startsWith('\r\n', at)) {
      records.push(cells)
      cells = []
      at += 2
    } else throw new Error(`neither comma nor CRLF at ${at}`)
  }
  if (cells.length > 0) throw new Error('the last record has no CRLF')
  return records
}

export type CsvRecord = Record<string, string>

/** Records by column name; throws when one has another number of cells than the header. */
export function readCsv(text: string): { header: string; records: CsvRecord[] } {
  const [columns = [], ...rows] = parseCsv(text)
  const records = rows.map((row) => {
    if (row.length !== columns.length) throw new Error(`${row.length} cells under ${columns.length} columns`)
    return Object.fromEntries(columns.map((column, index) => [column, row[index] as string]))
  })
  return { header: columns.join(','), records }
}

type Fields = Record<string, unknown>

const parsed = (records: readonly CsvRecord[], kind: string, column: string): unknown[] =>
  records.filter(({ record_type }) => record_type === kind).map((record) => JSON.parse(record[column] as string))

/** A list of items; null where the one record says so. */
function listOf(items: unknown[]): unknown[] | null {
  return items.length === 1 && items[0] === null ? null : items
}

/** What the meta record says, and the top-level fields that it carries in `rest`. */
function metaOf(records: readonly CsvRecord[], rest: string): Fields {
  const [meta, ...more] = records.filter(({ record_type }) => record_type === 'meta')
  if (meta === undefined || more.length > 0 || meta !== records[0])
    throw new Error('there is not one meta record, first')
  if (records.some((record) => record !== meta && record.meta_json !== ''))
    throw new Error('meta_json stands elsewhere')
  return { meta: JSON.parse(meta.meta_json as string), ...(meta[rest] === '' ? {} : JSON.parse(meta[rest] as string)) }
}

/** Items whose `columns` are text of their own beside the JSON. */
function withText(records: readonly CsvRecord[], kind: string, columns: readonly string[]): unknown[] {
  const own = records.filter(({ record_type }) => record_type === kind)
  return own.map((record) => {
    const item = JSON.parse(record.payload_json as string) as Fields | null
    if (item === null) return null
    return { ...Object.fromEntries(columns.filter((column) => !(column in item)).map((c) => [c, record[c]])), ...item }
  })
}

const PAGE = ['hostname', 'path', 'path_fidelity']

/** The answer that a CSV document of an operation was made of. */
export const REBUILD: Record<string, (records: readonly CsvRecord[]) => Fields> = {
  getAnalyticsPages: (records) => ({
    ...metaOf(records, 'payload_json'),
    summary: parsed(records, 'summary', 'payload_json')[0],
    pages: listOf(withText(records, 'page', PAGE)),
    crawler_patterns: listOf(withText(records, 'crawler_pattern', PAGE)),
  }),
  getAnalyticsConversions(records) {
    const conversions = parsed(records, 'conversion', 'conversion_json') as (Fields | null)[]
    const rules = parsed(records, 'conversion_property_rule', 'conversion_json') as Fields[]
    const sources = records.filter(({ record_type }) => record_type === 'conversion_source')
    const ownerOf = (record: CsvRecord) => (JSON.parse(record.conversion_json as string) as Fields).revision_id
    return {
      ...metaOf(records, 'conversion_json'),
      conversions: listOf(
        conversions.map((conversion) => {
          if (conversion === null) return null
          const { revision_id } = conversion
          return {
            property_rules: rules
              .filter((rule) => rule.revision_id === revision_id)
              .map((rule) => rule.conversion_property_rule),
            sources: sources
              .filter((record) => ownerOf(record) === revision_id)
              .map((record) => JSON.parse(record.source_json as string)),
            ...conversion,
          }
        }),
      ),
    }
  },
  getAnalyticsFunnels: (records) => ({
    ...metaOf(records, 'funnel_json'),
    funnels: listOf(parsed(records, 'funnel', 'funnel_json')),
  }),
  getAnalyticsFunnel: (records) => ({
    ...metaOf(records, 'step_json'),
    funnel: {
      steps: parsed(records, 'funnel_step', 'step_json'),
      ...(parsed(records, 'funnel', 'funnel_json')[0] as Fields),
    },
  }),
  getAnalyticsJourneys: (records) => ({
    ...metaOf(records, 'journey_json'),
    journeys: listOf(parsed(records, 'journey', 'journey_json')),
  }),
  getAnalyticsRevenue: (records) => ({
    ...metaOf(records, 'reported_json'),
    reconciliation: parsed(records, 'reconciliation', 'reconciliation_json')[0],
    reported: listOf(parsed(records, 'reported', 'reported_json')),
  }),
  getAnalyticsOverview(records) {
    const meta = records.filter(({ record_type }) => record_type === 'meta')
    const unnamed = meta.find(({ metric }) => metric === '')
    const rest = unnamed === undefined || unnamed.value === '' ? {} : (JSON.parse(unnamed.value as string) as Fields)
    const isSecond = 'meta_json' in (records[0] as CsvRecord)
    const own = isSecond ? JSON.parse(records[0]?.meta_json as string) : undot(meta.filter((r) => r !== unnamed))
    const beside = ['averaged_sessions', 'closed_sessions', 'excluded']
    const compared = records.filter(({ record_type }) => record_type === 'comparison')
    const trend: Fields[] = []
    for (const { day, metric, value } of records.filter(({ record_type }) => record_type === 'trend')) {
      if (trend.at(-1)?.day !== day) trend.push({ day })
      Object.assign(trend.at(-1) as Fields, { [metric as string]: JSON.parse(value as string) })
    }
    const current = withMetrics(
      records.filter(({ record_type }) => record_type === 'metric'),
      beside,
    )
    const { meta: unnamable = {}, ...others } = rest
    return {
      meta: { ...own, ...(unnamable as Fields) },
      ...merged(others, current),
      trend,
      ...(compared.length === 0
        ? {}
        : {
            comparison: merged(
              (rest.comparison ?? {}) as Fields,
              withMetrics(compared, ['from', 'to', 'measurement', 'averaged_sessions', 'closed_sessions']),
            ),
          }),
    }
  },
  getAnalyticsSources(records) {
    const rest = metaOf(records, 'value')
    const ofDimension = (kind: string, name: string) =>
      records.filter(({ record_type, dimension }) => record_type === kind && dimension === name)
    const rowsOf = (name: string) => {
      const rows: Fields[] = []
      for (const { identity_json, metric, value } of ofDimension('metric', name)) {
        if (identity_json === '') continue
        if (metric === 'sessions') rows.push(JSON.parse(identity_json as string))
        Object.assign(rows.at(-1) as Fields, { [metric as string]: JSON.parse(value as string) })
      }
      return rows
    }
    const blockOf = (name: string) => {
      const beside = ofDimension('metric', name).filter(({ identity_json }) => identity_json === '')
      const [denominator] = ofDimension('denominator', name)
      return {
        ...(name === 'referrers' ? {} : { denominator: JSON.parse(denominator?.value as string) }),
        ...(beside.length === 0
          ? { total_count: null, truncated: false }
          : Object.fromEntries(beside.map((record) => [record.metric, JSON.parse(record.value as string)]))),
        rows: rowsOf(name),
      }
    }
    const listed = (name: string) => (ofDimension('denominator', name).length > 0 ? null : rowsOf(name))
    const utm = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [name, blockOf(`utm_${name}`)])
    return {
      ...rest,
      acquisition: listed('acquisition'),
      ai_referral: listed('ai_referral'),
      referrers: blockOf('referrers'),
      utm: { ...((rest.utm ?? {}) as Fields), ...Object.fromEntries(utm) },
    }
  },
}

/** Dotted names of meta records, back in their places. */
function undot(records: readonly CsvRecord[]): Fields {
  const made: Fields = {}
  for (const { metric, value } of records) {
    const path = (metric as string).split('.')
    const last = path.pop() as string
    let place = made
    for (const name of path) {
      place[name] ??= {}
      place = place[name] as Fields
    }
    place[last] = JSON.parse(value as string)
  }
  return made
}

/** Bare names belong to `metrics` but those that stand beside it. */
function withMetrics(records: readonly CsvRecord[], beside: readonly string[]): Fields {
  const made: Fields = { metrics: {} }
  for (const { metric, value } of records) {
    const name = metric as string
    const dot = name.indexOf('.')
    const parsedValue = JSON.parse(value as string)
    if (dot > 0) {
      const field = name.slice(0, dot)
      made[field] = { ...((made[field] ?? {}) as Fields), [name.slice(dot + 1)]: parsedValue }
    } else if (beside.includes(name)) made[name] = parsedValue
    else Object.assign(made.metrics as Fields, { [name]: parsedValue })
  }
  return made
}

/** `rest` beside what has records; its metrics join the others. */
function merged(rest: Fields, named: Fields): Fields {
  return { ...rest, ...named, metrics: { ...((rest.metrics ?? {}) as Fields), ...(named.metrics as Fields) } }
}
