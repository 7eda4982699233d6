import { createContext, useContext, useEffect } from 'react'

/** Called by a chart for the heading of its panel, which says "by week" while days are too narrow to be drawn. */
export const WeekWords = createContext<(is_weekly: boolean) => void>(() => {})

export function useWeekWords(is_weekly: boolean): void {
  const say = useContext(WeekWords)
  useEffect(() => {
    say(is_weekly)
    return () => say(false)
  }, [say, is_weekly])
}
