import { afterEach, expect, it, vi } from 'vitest'
import { onLiveUpdate, openLive } from './live.ts'
import { signIn, signOut, type SignedInUser } from './session.ts'
import { fakePage } from './fixtures.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const who: SignedInUser = {
  token: 'T1',
  nearestProjectCode: 'P1',
  manager: { id: 7, ownerId: 3, loginCode: 'admin', companyName: '安和物业', realName: '甲' },
}

it('a screen that follows a kind asks anew at each word, and whenever words may have been missed', () => {
  vi.useFakeTimers()
  fakePage()
  const lines: { say(kind: string): void; onclose?: () => void }[] = []
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal(
    'WebSocket',
    class {
      onmessage?: (e: { data: string }) => void
      onclose?: () => void
      constructor() {
        lines.push(this as never)
      }
      say(kind: string) {
        this.onmessage?.({ data: JSON.stringify({ kind }) })
      }
      send() {}
      close() {}
    },
  )
  signIn(who)
  let asked = 0
  const deaf = onLiveUpdate('invoice', () => asked++)
  const end = openLive()
  // What happened between the page's own question and the first connection is not told by a word.
  lines[0]!.say('ready')
  expect(asked).toBe(1)
  lines[0]!.say('invoice')
  lines[0]!.say('task')
  expect(asked).toBe(2)
  lines[0]!.say('gap')
  expect(asked).toBe(3)
  lines[0]!.onclose!()
  vi.advanceTimersByTime(2000)
  lines[1]!.say('ready')
  expect(asked).toBe(4)
  deaf()
  lines[1]!.say('invoice')
  expect(asked).toBe(4)
  end()
  signOut()
})
