import { useEffect, useState } from 'react'

/**
 * For the open form of `openedLater`: closed for one drawing, in which its button takes the focus, so that closing it
 * gives the focus back to that button.
 */
export function useOpenNow() {
  const [isOpen, onOpenChange] = useState(false)
  useEffect(() => onOpenChange(true), [])
  return { isOpen, onOpenChange }
}
