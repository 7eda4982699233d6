/** How many definitions a site may have, and how large they may be (spec 8, rules 6.8). */
export const MAX_PROPERTIES = 500
export const MAX_ENUM_VALUES = 50
export const MAX_CONVERSIONS = 100
export const MAX_FUNNELS = 30
export const MAX_RULES = 8
export const MAX_ONE_OF = 50
export const MIN_STEPS = 2
/** Of a name or an enum value, in code points. */
export const MAX_NAME_LENGTH = 64
