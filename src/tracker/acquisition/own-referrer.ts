/**
 * Stored as the host of a referrer that is a page of the site itself. A session that begins with it is a visit that
 * continues after a pause or over midnight (rules 6). It is not a valid host name, and stays valid if the site is
 * renamed.
 */
export const OWN_REFERRER = ':own'
