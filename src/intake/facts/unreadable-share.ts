/** If more of the evidence cannot be read, its coverage is partial (rules 3). */
const MAX_UNREADABLE_SHARE = 0.01

/** Whether more than this share is unreadable. */
export const isHardlyReadable = (unreadable: number, all: number): boolean => unreadable > all * MAX_UNREADABLE_SHARE
