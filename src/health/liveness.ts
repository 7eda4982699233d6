/** Liveness signals, sent only while the event loop runs and the stores answer: their absence means a hang. */

export interface Liveness {
  /** Adds a probe that must settle before the next signal; a failure is an answer too. */
  also(probe: () => Promise<unknown>): void
  stop(): void
}

/**
 * Calls `beat` now and then every `every_ms`, each time only after every probe has settled. A store that refuses, for
 * example because its disk is full, is not hung, and a restart would not help: `/readyz` reports that.
 */
export function startLiveness({ every_ms, beat }: { every_ms: number; beat: () => void }): Liveness {
  const probes: (() => Promise<unknown>)[] = []
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const round = async () => {
    await Promise.allSettled(probes.map(async (probe) => probe()))
    if (stopped) return
    beat()
    timer = setTimeout(round, every_ms)
    timer.unref()
  }
  void round()
  return {
    also: (probe) => void probes.push(probe),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
