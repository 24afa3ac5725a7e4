import { useEffect } from 'react'
import { expire } from './send.ts'
import { session } from './session.ts'

/**
 * What the server tells an open browser: a kind and a few facts, ids only; the screen then asks for what it
 * may see.
 */
type Data = Readonly<Record<string, unknown>>
type Ear = (data: Data) => void
const ears = new Map<string, Set<Ear>>()
const stateEars = new Set<() => void>()
const topics = new Map<string, number>()
let socket: WebSocket | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0
let wanted = false
let up = false

const setUp = (on: boolean): void => {
  if (up !== on) {
    up = on
    stateEars.forEach(e => e())
  }
}

const say = (word: object): void => {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(word))
  }
}

/**
 * Seconds until try `n`: 1, 2, 4 … 30, spread by `dice` (0–1) so that a restart does not meet everybody at
 * once.
 */
export const pause = (n: number, dice: number): number => Math.min(30, 2 ** n) * (0.75 + dice / 2)

/** The server's own words: it took the token; the session is over; words may have been missed. */
function take(kind: string, data: Data): void {
  if (kind === 'ended') {
    wanted = false
    return expire()
  }
  if (kind === 'ready') {
    tries = 0
    if (topics.size) {
      say({ subscribe: [...topics.keys()] })
    }
    setUp(true)
  }
  ears.get(kind)?.forEach(ear => ear(data))
}

function connect(): void {
  const token = session.getState().signed?.token
  if (!wanted || !token || socket) return
  const s = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`)
  socket = s
  // The token goes in the first message, not in the address, which logs keep.
  s.onopen = () => say({ token })
  s.onmessage = e => {
    let word: { kind?: unknown; data?: Data }
    try {
      word = JSON.parse(String(e.data)) as typeof word
    } catch {
      return
    }
    if (typeof word.kind === 'string') {
      take(word.kind, word.data ?? {})
    }
  }
  s.onclose = () => {
    if (socket === s) {
      socket = undefined
    }
    setUp(false)
    if (wanted) {
      timer = setTimeout(connect, pause(tries++, Math.random()) * 1000)
    }
  }
}

/** Opens the connection and keeps it open while somebody is signed in. Answers how to end it. */
export function openLive(): () => void {
  wanted = true
  connect()
  const again = (): void => {
    clearTimeout(timer)
    tries = 0
    connect()
  }
  const renewed = session.subscribe((now, was) => {
    if (now.signed && was.signed && now.signed.token !== was.signed.token) {
      say({ token: now.signed.token })
    }
  })
  addEventListener('online', again)
  return () => {
    wanted = false
    renewed()
    clearTimeout(timer)
    removeEventListener('online', again)
    socket?.close()
    socket = undefined
    setUp(false)
  }
}

/** Hears one kind of word (`gap`: some may have been missed, ask anew). Answers how to stop. */
export function hear(kind: string, ear: Ear): () => void {
  const all = ears.get(kind) ?? new Set()
  ears.set(kind, all.add(ear))
  return () => {
    all.delete(ear)
  }
}

export const useLive = (kind: string, ear: Ear): void => useEffect(() => hear(kind, ear), [kind, ear])

/**
 * Hears a kind as one who asks anew at every word does: also whenever some may have been missed, before the
 * connection stood or while it was lost.
 */
export function hearNews(kind: string, ask: () => void): () => void {
  const ends = [kind, 'gap', 'ready'].map(k => hear(k, ask))
  return () => ends.forEach(end => end())
}

export const useNews = (kind: string, ask: () => void): void =>
  useEffect(() => hearNews(kind, ask), [kind, ask])

/** True while words arrive; those who poll may rest then. */
export const isLive = (): boolean => up

export const onLive = (then: () => void): (() => void) => {
  stateEars.add(then)
  return () => {
    stateEars.delete(then)
  }
}

/** Asks for the words of a topic, also after the connection was lost and found. Answers how to stop. */
export function subscribe(topic: string): () => void {
  topics.set(topic, (topics.get(topic) ?? 0) + 1)
  say({ subscribe: [topic] })
  return () => {
    const n = (topics.get(topic) ?? 1) - 1
    if (n) {
      topics.set(topic, n)
    } else {
      topics.delete(topic)
      say({ unsubscribe: [topic] })
    }
  }
}
