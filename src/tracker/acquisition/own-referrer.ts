/**
 * Stored as the referrer's host where the referrer is a page of the site itself: a session that begins with it is a
 * visit that goes on after a pause or over midnight (rules 6). No host is spelled so, and a renamed site keeps it.
 */
export const OWN_REFERRER = ':own'
