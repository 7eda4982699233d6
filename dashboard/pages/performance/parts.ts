/** Values of `group`, the first being the default. */
export const GROUPS = ['purpose', 'crawler', 'identity'] as const
/** The number of rows in the tables of this page, which link to the whole lists. */
export const TOP_CRAWLERS = 9
export const TOP_PAGES = 6
