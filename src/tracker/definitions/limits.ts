/** What a site may define (spec 8, rules 6.8). */
export const MOST_PROPERTIES = 500
export const MOST_ENUM_VALUES = 50
export const MOST_CONVERSIONS = 100
export const MOST_FUNNELS = 30
export const MOST_RULES = 8
export const MOST_ONE_OF = 50
export const LEAST_STEPS = 2
export const MOST_STEPS = 5
/** Characters of a name or an enum value, as a person counts code points. */
export const LONGEST_NAME = 64
