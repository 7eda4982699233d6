/** Receipts of imported logs (decisions 3.4, 7.5). */
import Type from 'typebox'
import { Count, Instant, orNull, Uuid } from '../fields.ts'
import { site } from '../management-api/define.ts'
import { limit } from '../parameters.ts'
import { readOfSite } from './define.ts'

export const Receipt = Type.Object({
  files: Count,
  bytes: Count,
  lines: Count,
  malformed: Count,
  malformed_samples: Type.Array(
    Type.Object({
      line_number: Count,
      reason: Type.String(),
      /** Right after the import only. */
      excerpt: Type.Optional(Type.String()),
    }),
  ),
  other_site: Count,
  human: Count,
  human_without_agent: Count,
  automated_unlabelled: Count,
  automated_not_counted: Count,
  duplicates: Count,
  ignored: Type.Record(Type.String(), Count),
  stored: Count,
  by_crawler: Type.Record(Type.String(), Count),
  without_host: Count,
  from: orNull(Type.String()),
  to: orNull(Type.String()),
  hosts: Type.Record(Type.String(), Count),
  /** Right after the import only. */
  other_hosts: Type.Optional(Type.Record(Type.String(), Count)),
  seconds: Type.Number(),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
})

export const getReceipts = readOfSite('getReceipts', 'What became of the logs that were imported, the newest first', {
  input: Type.Object({ site, limit: limit({ maximum: 100, default: 20, description: 'Most receipts to return.' }) }),
  output: Type.Object({
    receipts: Type.Array(Type.Object({ id: Uuid, label: Type.String(), imported_at: Instant, receipt: Receipt })),
  }),
})

export const uploadReads = [getReceipts] as const
