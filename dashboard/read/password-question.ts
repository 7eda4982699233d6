/** Whether a call waits for the password. The frame asks for it over the page. */
let answer: ((is_confirmed: boolean) => void) | null = null
let waiting: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** Resolves to false if the person cancels. Calls that are refused at the same time share one question. */
export function askForPassword(): Promise<boolean> {
  waiting ??= new Promise((resolve) => {
    answer = resolve
    notify()
  })
  return waiting
}

export function answerPasswordQuestion(is_confirmed: boolean): void {
  answer?.(is_confirmed)
  answer = null
  waiting = null
  notify()
}

export const isPasswordNeeded = () => answer !== null

export function onPasswordQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify() {
  for (const listener of listeners) listener()
}
