/** If more of the evidence cannot be read, its coverage is partial (rules 3). */
const MAX_UNREADABLE_SHARE = 0.01

/** Whether more of it is unreadable than complete coverage allows. */
export const exceedsUnreadableShare = (unreadable: number, all: number): boolean =>
  unreadable > all * MAX_UNREADABLE_SHARE
