import { useEffect, useState } from 'react'
import { setToastHost, type Toast } from '../toast.ts'
import './phone-toasts.css'

const shownSeconds = 3

/** Messages on a phone outside the back office, the newest alone, above what a thumb reaches. */
export function PhoneToasts() {
  const [shown, setShown] = useState<Toast>()
  useEffect(() => {
    setToastHost(setShown)
    return () => setToastHost(undefined)
  }, [])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(undefined), (shown.seconds ?? shownSeconds) * 1000)
    return () => clearTimeout(timer)
  }, [shown])
  if (!shown) return null
  return (
    <p className={`phone-toast ${shown.kind}`} role={shown.kind === 'error' ? 'alert' : 'status'}>
      {shown.text}
    </p>
  )
}
