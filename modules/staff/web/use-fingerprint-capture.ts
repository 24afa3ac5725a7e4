import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import {
  advanceCapture,
  answerTimeoutMs,
  initialCapture,
  parseAnswer,
  type CaptureEvent,
  type CaptureState,
} from '../domain/fingerprint-capture.ts'

/** The fingerprint service of this computer (0§7). */
const serviceAddress = 'ws://127.0.0.1:22003'

interface FingerprintCapture {
  readonly state: CaptureState
  /** Another finger: the device is closed and opened again. */
  readonly changeFinger: () => void
  readonly retry: () => void
}

/** Ends a capture whose service does not answer; counted from zero for each command that is waited for. */
function useAnswerTimeout(
  awaited: CaptureState['awaited'],
  dispatch: RefObject<(event: CaptureEvent) => void>,
): void {
  useEffect(() => {
    if (!awaited) return undefined
    const timer = setTimeout(() => dispatch.current({ kind: 'timedOut' }), answerTimeoutMs)
    return () => clearTimeout(timer)
  }, [awaited])
}

/** Holds the connection to the local service while the dialog is open. */
export function useFingerprintCapture(): FingerprintCapture {
  const [state, setState] = useState(initialCapture)
  const current = useRef(initialCapture)
  const socket = useRef<WebSocket>(undefined)

  const connect = useCallback((): void => {
    const opened = new WebSocket(serviceAddress)
    const isCurrent = (): boolean => socket.current === opened
    socket.current?.close()
    socket.current = opened
    opened.addEventListener('open', () => isCurrent() && handle({ kind: 'connected' }))
    opened.addEventListener('close', () => isCurrent() && handle({ kind: 'disconnected' }))
    opened.addEventListener('message', ({ data }) => {
      const answer = parseAnswer(String(data))
      if (answer && isCurrent()) {
        handle({ kind: 'answered', answer })
      }
    })

    function handle(event: CaptureEvent): void {
      const { state: next, send = [], reconnect } = advanceCapture(current.current, event)
      current.current = next
      setState(next)
      const isOpen = socket.current?.readyState === WebSocket.OPEN
      // The service may have ended after the last finger was captured.
      const isClosed = !isOpen && next.phase === 'opening' && send.length > 0
      if (reconnect || isClosed) {
        connect()
      } else if (isOpen) {
        for (const command of send) {
          socket.current?.send(JSON.stringify({ cmd: command }))
        }
      }
    }

    dispatch.current = handle
  }, [])

  const dispatch = useRef<(event: CaptureEvent) => void>(() => {})
  useAnswerTimeout(state.awaited, dispatch)

  useEffect(() => {
    current.current = initialCapture
    connect()
    return () => {
      const closing = socket.current
      socket.current = undefined
      if (closing?.readyState === WebSocket.OPEN) {
        closing.send(JSON.stringify({ cmd: 'close' }))
      }
      closing?.close()
    }
  }, [connect])

  return {
    state,
    changeFinger: useCallback(() => dispatch.current({ kind: 'fingerChanged' }), []),
    retry: useCallback(() => dispatch.current({ kind: 'retried' }), []),
  }
}
