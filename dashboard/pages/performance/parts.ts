/** Values of `group`, the first being the default. */
export const GROUPS = ['purpose', 'crawler', 'identity'] as const
/** Rows of the tables of this page; the whole lists are one click away. */
export const TOP_CRAWLERS = 9
export const TOP_PAGES = 6
