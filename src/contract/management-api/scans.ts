/** Scans: when questions of a brand are asked, and what became of it. */
import Type from 'typebox'
import { Count, Day, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import { API_ENGINES, SCAN_RUN_STATES, SCAN_STATES } from '../vocabulary.ts'
import { onBrand } from './define.ts'

const runs = Type.Integer({ minimum: 1, maximum: 10 })
const counts = Object.fromEntries(SCAN_RUN_STATES.map((state) => [state, Count])) as Record<
  (typeof SCAN_RUN_STATES)[number],
  typeof Count
>

const Scan = Type.Object({
  id: Uuid,
  cause: oneOf(['schedule', 'person']),
  day: Day,
  state: oneOf(SCAN_STATES),
  started_at: Instant,
  ended_at: orNull(Instant),
  engines: Type.Array(
    Type.Object({
      engine: Type.String(),
      ...counts,
      /** Why runs were refused, failed or not asked. */
      codes: Type.Array(Type.Object({ code: Type.String(), runs: Count })),
    }),
  ),
})

const Schedule = Type.Object({
  /** UTC; null: no daily scan. */
  hour: orNull(Type.Integer({ minimum: 0, maximum: 23 })),
  runs,
  is_paused: Type.Boolean(),
  next_at: orNull(Instant),
})

export const scanOperations = [
  onBrand('scan.start', 'Ask the active questions of a brand now', {
    effect: 'write',
    permission: 'edit_questions',
    input: {
      runs,
      engines: Type.Optional(Type.Array(oneOf(API_ENGINES), { minItems: 1, uniqueItems: true })),
    },
    output: Type.Object({
      ...Scan.properties,
      /** What it is expected to cost, in millionths of a US dollar. */
      estimate_micros: Count,
    }),
  }),
  onBrand('scan.list', 'Scans of a brand, the newest first, and when the next one is due', {
    input: { limit: Type.Integer({ minimum: 1, maximum: 400 }) },
    output: Type.Object({ schedule: Schedule, scans: Type.Array(Scan) }),
  }),
  onBrand('scan.cancel', 'Stop the running scans of a brand; calls already running finish by themselves', {
    effect: 'write',
    permission: 'edit_questions',
    output: Type.Object({ cancelled: Type.Array(Uuid) }),
  }),
  onBrand('scan.schedule', 'When the questions of a brand are asked each day; what is left out stays', {
    effect: 'write',
    permission: 'edit_questions',
    input: {
      /** UTC; null: no daily scan. */
      hour: Type.Optional(orNull(Type.Integer({ minimum: 0, maximum: 23 }))),
      runs: Type.Optional(runs),
      is_paused: Type.Optional(Type.Boolean()),
    },
    output: Schedule,
  }),
  onBrand('brand.retention', 'For how many days a brand keeps answers; `days` changes it', {
    effect: 'write',
    permission: 'set_retention',
    input: { days: Type.Optional(Type.Integer()) },
    output: Type.Object({ id: Uuid, name: Type.String(), retention_days: Count }),
  }),
] as const
