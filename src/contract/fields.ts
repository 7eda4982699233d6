/** The field types that every resource is made of. Unknown is null, never a substitute value (spec 1.1). */
import Type from 'typebox'

/** One value of a closed set. */
export const oneOf = <Values extends [string, ...string[]]>(values: readonly [...Values], description?: string) =>
  Type.Enum<Values>(values, description === undefined ? { type: 'string' } : { type: 'string', description })

/** The same schema with a sentence that says what it is. */
export const described = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.With(schema, { description }) as Schema

/** The same, or null; `description` says when it is null. */
export const orNull = <Schema extends Type.TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const Uuid = Type.String({ format: 'uuid' })
/** A UTC day, `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' })
/** An instant in UTC with `Z` and milliseconds (rules 1). */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
})
/** A number of observed things. Past 2^53-1 JSON readers round, so a larger one is a defect, not an answer. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** A count inside a list of what was observed: such a list has no row of zero (rules 2). */
export const ObservedCount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const Share = Type.Number({ minimum: 0, maximum: 1 })
/** Inclusive range of UTC days. */
export const DaySpan = Type.Object({ from: Day, to: Day })
/** An object that carries nothing but its named fields (spec 2.6). */
export const closed = <const Fields extends Type.TProperties>(fields: Fields, options: Type.TObjectOptions = {}) =>
  Type.Object(fields, { ...options, additionalProperties: false })
