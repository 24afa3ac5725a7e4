import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { onLiveUpdate, openLive, sendLive } from './live.ts'
import { signIn, signOut, type SignedInUser } from './session.ts'
import { fakePage } from './fixtures.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const user: SignedInUser = {
  token: 'T1',
  nearestProjectCode: 'P1',
  manager: { id: asId(7), ownerId: asId(3), loginCode: 'admin', companyName: '安和物业', realName: '甲' },
}

it('a screen that follows a kind refetches at each message, and whenever messages may have been lost', () => {
  vi.useFakeTimers()
  fakePage()
  const sockets: { say(kind: string): void; onclose?: () => void }[] = []
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal(
    'WebSocket',
    class {
      onmessage?: (e: { data: string }) => void
      onclose?: () => void
      constructor() {
        sockets.push(this)
      }
      say(kind: string) {
        this.onmessage?.({ data: JSON.stringify({ kind }) })
      }
      send() {}
      close() {}
    },
  )
  signIn(user)
  let refetchCount = 0
  const unsubscribe = onLiveUpdate('invoice', () => refetchCount++)
  const closeLive = openLive()
  // What happened between the page's own question and the first connection is announced by no message.
  defined(sockets[0]).say('ready')
  expect(refetchCount).toBe(1)
  defined(sockets[0]).say('invoice')
  defined(sockets[0]).say('task')
  expect(refetchCount).toBe(2)
  defined(sockets[0]).say('gap')
  expect(refetchCount).toBe(3)
  defined(defined(sockets[0]).onclose)()
  vi.advanceTimersByTime(2000)
  defined(sockets[1]).say('ready')
  expect(refetchCount).toBe(4)
  unsubscribe()
  defined(sockets[1]).say('invoice')
  expect(refetchCount).toBe(4)
  closeLive()
  signOut()
})

it('a message goes out only while the connection is open: nothing is kept for later', () => {
  fakePage()
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  const sent: string[] = []
  let hear: ((e: { data: string }) => void) | undefined
  vi.stubGlobal(
    'WebSocket',
    class {
      static OPEN = 1
      readyState = 1
      set onmessage(listener: (e: { data: string }) => void) {
        hear = listener
      }
      send(text: string) {
        sent.push(text)
      }
      close() {}
    },
  )
  signIn(user)
  expect(sendLive({ cmdtype: 2072 })).toBe(false)
  const closeLive = openLive()
  expect(sendLive({ cmdtype: 2072 })).toBe(false)
  defined(hear)({ data: '{"kind":"ready"}' })
  expect(sendLive({ cmdtype: 2072 })).toBe(true)
  expect(sent).toEqual(['{"cmdtype":2072}'])
  closeLive()
  expect(sendLive({ cmdtype: 2073 })).toBe(false)
  signOut()
})

it('all parts of a page share one connection; it closes when the last of them has gone', () => {
  fakePage()
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  const counts = { opened: 0, closed: 0 }
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        counts.opened++
      }
      send() {}
      close() {
        counts.closed++
      }
    },
  )
  signIn(user)
  const closeFirst = openLive()
  const closeSecond = openLive()
  expect(counts).toEqual({ opened: 1, closed: 0 })
  closeFirst()
  expect(counts.closed).toBe(0)
  closeSecond()
  expect(counts.closed).toBe(1)
  signOut()
})
