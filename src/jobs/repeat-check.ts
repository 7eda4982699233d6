/** Repeats a check after pauses, one at a time, until the service stops. */
export interface RepeatedCheck {
  /** Checks now, or after the running check; resolves when the check has ended. It never rejects. */
  checkNow(): Promise<void>
  /** Resolves when the last check has ended; call it after `stopping` is aborted. */
  ended(): Promise<void>
}

export interface RepeatOptions {
  /** The first check begins after it. It never rejects. */
  after: Promise<void>
  every_ms: number
  /** No check begins once it is aborted. */
  stopping: AbortSignal
  /** Called for the first of several failures in a row, because a check is repeated every few seconds. */
  onFailing: (error: unknown) => void
}

export function repeatCheck(
  check: () => Promise<void>,
  { after, every_ms, stopping, onFailing }: RepeatOptions,
): RepeatedCheck {
  let timer: NodeJS.Timeout | undefined
  let checking = after
  let is_failing = false
  const checkOnce = async () => {
    try {
      await check()
      is_failing = false
    } catch (error) {
      if (!is_failing && !stopping.aborted) onFailing(error)
      is_failing = true
    }
  }
  const checkNow = () => {
    clearTimeout(timer)
    checking = checking.then(async () => {
      if (stopping.aborted) return
      await checkOnce()
      clearTimeout(timer)
      if (!stopping.aborted) timer = setTimeout(checkNow, every_ms)
    })
    return checking
  }
  stopping.addEventListener('abort', () => clearTimeout(timer), { once: true })
  void checkNow()
  return { checkNow, ended: () => checking }
}
