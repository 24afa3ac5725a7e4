import { useEffect, useState } from 'react'

const pollMs = 1500

/** Ends early when it is aborted. */
const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

interface WatchedQrOptions<Q, P extends { readonly state: string }> {
  /** Another one restarts with a new picture. */
  readonly subject?: unknown
  readonly create: (signal: AbortSignal) => Promise<Q>
  readonly poll: (qr: Q, signal: AbortSignal) => Promise<P>
  /** The state with which the phone has agreed. */
  readonly agreed: P['state']
  readonly onAgreed: (progress: P) => void
}

export interface WatchedQr<Q, S extends string> {
  readonly qr: Q | undefined
  /** `asking` until there is a picture, `failed` where none came or asking about it failed. */
  readonly state: S | 'asking' | 'failed'
  readonly error: unknown
  /** The code is no longer valid: refused, expired or failed. */
  readonly isOver: boolean
  readonly renew: () => void
}

/** A QR picture for a phone, asked about until the phone has agreed or refused, or it has expired. */
export function useWatchedQr<Q, P extends { readonly state: string }>({
  subject,
  create,
  poll,
  agreed,
  onAgreed,
}: WatchedQrOptions<Q, P>): WatchedQr<Q, P['state']> {
  const [qr, setQr] = useState<Q>()
  const [state, setState] = useState<P['state'] | 'asking' | 'failed'>('asking')
  const [error, setError] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const watch = async (): Promise<void> => {
      setState('asking')
      const created = await create(signal)
      setQr(created)
      setState('waiting')
      for (;;) {
        await delay(pollMs, signal)
        if (signal.aborted) return
        const progress = await poll(created, signal)
        setState(progress.state)
        if (progress.state === agreed) return onAgreed(progress)
        if (!isOpen(progress.state)) return
      }
    }
    watch().catch((failure: unknown) => {
      if (!signal.aborted) {
        setError(failure)
        setState('failed')
      }
    })
    return () => abort.abort()
  }, [turn, subject])
  return {
    qr,
    state,
    error,
    isOver: state !== 'asking' && state !== agreed && !isOpen(state),
    renew: () => setTurn(n => n + 1),
  }
}

/** The phone has not answered yet. */
const isOpen = (state: string): boolean => state === 'waiting' || state === 'scanned'
