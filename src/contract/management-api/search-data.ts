import Type from 'typebox'
import { Count, Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import {
  AI_REPORT_SOURCES,
  BING_METHODS,
  CONNECTION_STATUSES,
  SEARCH_FILE_FORMS,
  SEARCH_SOURCES,
} from '../vocabulary.ts'
import { onBrand } from './define.ts'

const property = Type.String({
  description: 'as the source names it: sc-domain:example.com or https://www.example.com/',
})

const Connection = Type.Object({
  id: Uuid,
  source: oneOf(SEARCH_SOURCES),
  property: Type.String(),
  state: oneOf(CONNECTION_STATUSES),
  created_at: Instant,
  last_poll_at: orNull(Instant),
  error_code: orNull(Type.String(), 'What went wrong last; null: nothing.'),
  read_from: orNull(Day, 'The oldest day that was read.'),
})

const StoredDays = Type.Object({
  source: oneOf(SEARCH_SOURCES),
  property: Type.String(),
  search_type: Type.String(),
  grouping: Type.String({ description: 'dimensions of the rows, with commas; empty: totals' }),
  from: Day,
  to: Day,
  days: Count,
})

export const searchDataOperations = [
  onBrand('search_data.import', 'Import search data of Search Console or Bing from a file', {
    effect: 'write',
    permission: 'edit_questions',
    input: {
      document: Type.String({ description: 'the file' }),
      property: Type.Optional(property),
      from: Type.Optional(Day),
      to: Type.Optional(Day),
      ai_source: Type.Optional(oneOf(AI_REPORT_SOURCES)),
      dimensions: Type.Optional(Type.Array(Type.String())),
      method: Type.Optional(oneOf(BING_METHODS)),
      page: Type.Optional(Type.String()),
    },
    output: Type.Object({
      form: oneOf(SEARCH_FILE_FORMS),
      records: Count,
      stored: Count,
      replaced: Count,
      duplicates: Count,
      refused: Type.Array(
        Type.Object({ place: Type.Integer({ minimum: 1 }), code: Type.String(), message: Type.String() }),
      ),
      from: orNull(Day),
      to: orNull(Day),
      properties: Type.Array(Type.String()),
    }),
  }),
  onBrand('search_data.connect', 'Read search data of a property daily', {
    effect: 'write',
    permission: 'manage_sources',
    input: {
      source: oneOf(SEARCH_SOURCES),
      property,
      key: Type.String({ description: 'the JSON key of a service account (google), or an API key (bing)' }),
    },
    output: Connection,
  }),
  onBrand('search_data.disconnect', 'Stop reading search data, and forget the key', {
    effect: 'write',
    permission: 'manage_sources',
    input: { source: oneOf(SEARCH_SOURCES), property: Type.Optional(property) },
    output: Connection,
  }),
  onBrand('search_data.list', 'Connections of a brand, and the days that search data is stored of', {
    output: Type.Object({ connections: Type.Array(Connection), stored: Type.Array(StoredDays) }),
  }),
] as const
