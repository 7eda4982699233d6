/** What a site may define (spec 8, rules 6.8). */
export const MAX_PROPERTIES = 500
export const MAX_ENUM_VALUES = 50
export const MAX_CONVERSIONS = 100
export const MAX_FUNNELS = 30
export const MAX_RULES = 8
export const MAX_ONE_OF = 50
export const MIN_STEPS = 2
/** Characters of a name or an enum value, as a person counts code points. */
export const MAX_NAME_LENGTH = 64
