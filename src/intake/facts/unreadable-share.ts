/** Evidence of which too much could not be read covers its time in part only (rules 3). */
const MAX_UNREADABLE_SHARE = 0.01

/** Whether so much is malformed that it is most likely not a log. */
export const isHardlyReadable = (unreadable: number, all: number): boolean => unreadable > all * MAX_UNREADABLE_SHARE
