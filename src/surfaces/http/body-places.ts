/** How many bodies are read at once, so that unfinished ones fill neither memory nor each other's places. */

export interface BodyPlaceLimits {
  total: number
  /** Of one client network or one server's key. */
  of_sender: number
}

/** Each is at most 64 KiB. One that arrives whole keeps its place for less than a millisecond. */
export const COLLECT_PLACES: BodyPlaceLimits = { total: 1_000, of_sender: 100 }

export interface BodyPlaces {
  /** Returns what gives the place back, which may be called twice; null when there is none. */
  take(sender: string): (() => void) | null
  /**
   * A body that did not come together with its headers: its place goes to another body where none is free. Otherwise a
   * few networks with slow bodies would keep out all others. `giveUp` must give the place back.
   */
  lend(release: () => void, giveUp: () => void): void
}

/** Senders that hold no place are forgotten together: forgetting each at once makes the table shrink and grow again. */
const MAX_REMEMBERED = 10_000

/** Bounds how many bodies are read at once: in total and of one sender. */
export function openBodyPlaces(limits: BodyPlaceLimits = COLLECT_PLACES): BodyPlaces {
  const of_sender = new Map<string, number>()
  /** By what gives the place back; the longest held first. */
  const lent = new Map<() => void, () => void>()
  let taken = 0
  const forgetIdle = () => {
    for (const [sender, held] of of_sender) if (held === 0) of_sender.delete(sender)
  }
  const makeRoom = () => {
    const [giveUp] = lent.values()
    giveUp?.()
  }
  return {
    take(sender) {
      if (of_sender.size >= MAX_REMEMBERED) forgetIdle()
      const held = of_sender.get(sender)
      const mine = held === undefined ? 1 : held + 1
      if (mine > limits.of_sender) return null
      if (taken >= limits.total) makeRoom()
      if (taken >= limits.total) return null
      taken++
      of_sender.set(sender, mine)
      let is_given_back = false
      const release = () => {
        if (is_given_back) return
        is_given_back = true
        taken--
        of_sender.set(sender, (of_sender.get(sender) as number) - 1)
        if (lent.size > 0) lent.delete(release)
      }
      return release
    },
    lend: (release, giveUp) => void lent.set(release, giveUp),
  }
}
