import { ServerBusy } from './http-errors.ts'

/**
 * Calls that run at once, by connection of the pool: while two read, a third makes its answer or waits for
 * another system. More would only hold rows and answers in memory.
 */
const runningPerConnection = 1.5
/** How long a call waits for its turn: as long as for a connection. */
const maxWaitMs = 10_000

/**
 * Waits for a slot and takes it. Returns a function that frees it. Throws `ServerBusy` where none is freed.
 */
export type TakeSlot = () => Promise<() => void>

interface WaitingCall {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * So many calls run at once and the others wait in turn, for `waitMs` at most. What a waiting call holds is
 * its request; rows and answers are held by those that run.
 */
export function openCallSlots(running: number, waitMs: number): TakeSlot {
  const waiting = new Set<WaitingCall>()
  let free = running
  const release = (): void => {
    const [next] = waiting
    if (next === undefined) {
      free++
      return
    }
    waiting.delete(next)
    clearTimeout(next.timer)
    next.start()
  }
  const releaseOnce = (): (() => void) => {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      release()
    }
  }
  return async () => {
    if (free > 0) {
      free--
      return releaseOnce()
    }
    await new Promise<void>((start, reject) => {
      const call: WaitingCall = {
        start,
        timer: setTimeout(() => {
          waiting.delete(call)
          reject(new ServerBusy())
        }, waitMs),
      }
      waiting.add(call)
    })
    return releaseOnce()
  }
}

/** The slots of a server with so many connections to its database. */
export const callSlotsOf = (pool: number): TakeSlot =>
  openCallSlots(Math.ceil(pool * runningPerConnection), maxWaitMs)
