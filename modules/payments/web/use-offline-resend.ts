import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'

/**
 * A payment that met no network. `asking`: whether to send it once the network is back; `waiting`: it will be
 * sent, and is shown as waiting.
 */
export type OfflinePhase = 'asking' | 'waiting'

export interface OfflinePayment {
  readonly phase: OfflinePhase
  /** The request had started: whether it arrived is not known. */
  readonly isUnknown: boolean
}

const retryMs = 3000

/** Sends again when the network is back, and only while somebody has agreed and not withdrawn. */
export function useOfflineResend(resend: () => Promise<void>): {
  readonly offline: OfflinePayment | undefined
  readonly setOffline: Dispatch<SetStateAction<OfflinePayment | undefined>>
} {
  const [offline, setOffline] = useState<OfflinePayment>()
  const latest = useRef(resend)
  useEffect(() => {
    latest.current = resend
  })
  const isWaiting = offline?.phase === 'waiting'
  useEffect(() => {
    if (!isWaiting) return undefined
    let isSending = false
    const attempt = (): void => {
      if (isSending || !navigator.onLine) return
      isSending = true
      void latest.current().finally(() => {
        isSending = false
      })
    }
    addEventListener('online', attempt)
    const timer = setInterval(attempt, retryMs)
    return () => {
      removeEventListener('online', attempt)
      clearInterval(timer)
    }
  }, [isWaiting])
  return { offline, setOffline }
}
