import { useEffect, useState } from 'react'
import { Status } from '#kit/web/status.tsx'
import { remainingText } from '../domain/remaining-time.ts'

const secondsOfDay = 86_400

/** Seconds since the answer came; counted only while something shows seconds. */
export function useElapsedSeconds(since: number, isCounting: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isCounting) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isCounting])
  return Math.max(0, Math.floor((now - since) / 1000))
}

export const showsSeconds = (seconds: number): boolean => seconds > 0 && seconds < secondsOfDay

/** FILE-5: days, on the last day hours, minutes and seconds, then 已过有效期. */
export function RemainingTime({ seconds }: { readonly seconds: number }) {
  if (seconds >= secondsOfDay) return remainingText(seconds)
  return (
    <Status tone={seconds > 0 ? 'todo' : 'bad'} plain>
      {remainingText(seconds)}
    </Status>
  )
}
