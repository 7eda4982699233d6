import { useEffect, useRef, useState } from 'react'

/**
 * The text of a field whose value the address holds, and what sets it. On a slow processor the address follows while
 * the person types on: a value that the field itself sent does not replace what was typed since. Any other value of
 * the address, such as that of the page before, does.
 */
export function useTyped(
  value: string,
  send: (text: string) => void,
): { text: string; setText: (text: string) => void; sendText: (text: string) => void } {
  const [text, setText] = useState(value)
  /** Sent, and not yet in the address. */
  const sent = useRef<string[]>([])
  useEffect(() => {
    const at = sent.current.indexOf(value)
    sent.current = at < 0 ? [] : sent.current.slice(at + 1)
    if (at < 0) setText(value)
  }, [value])
  const sendText = (next: string) => {
    sent.current.push(next)
    send(next)
  }
  return { text, setText, sendText }
}
