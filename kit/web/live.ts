import { useEffect } from 'react'
import { expireSession } from './send.ts'
import { session } from './session.ts'

/**
 * What the server tells an open browser: a kind and a few facts, ids only; the screen then asks for what it
 * may see.
 */
type LiveData = Readonly<Record<string, unknown>>
type LiveListener = (data: LiveData) => void
const listeners = new Map<string, Set<LiveListener>>()
const stateListeners = new Set<() => void>()
const topics = new Map<string, number>()
let socket: WebSocket | undefined
let reconnectTimer: ReturnType<typeof setTimeout> | undefined
let attempts = 0
let shouldConnect = false
let connected = false

const setConnected = (on: boolean): void => {
  if (connected !== on) {
    connected = on
    stateListeners.forEach(e => e())
  }
}

const sendMessage = (word: object): void => {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(word))
  }
}

/**
 * Seconds until try `n`: 1, 2, 4 … 30, spread by `dice` (0–1) so that a restart does not meet everybody at
 * once.
 */
export const reconnectDelay = (n: number, dice: number): number => Math.min(30, 2 ** n) * (0.75 + dice / 2)

/** The server's own words: it took the token; the session is over; words may have been missed. */
function handleMessage(kind: string, data: LiveData): void {
  if (kind === 'ended') {
    shouldConnect = false
    return expireSession()
  }
  if (kind === 'ready') {
    attempts = 0
    if (topics.size) {
      sendMessage({ subscribe: [...topics.keys()] })
    }
    setConnected(true)
  }
  listeners.get(kind)?.forEach(ear => ear(data))
}

function connect(): void {
  const token = session.getState().signed?.token
  if (!shouldConnect || !token || socket) return
  const s = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`)
  socket = s
  // The token goes in the first message, not in the address, which logs keep.
  s.onopen = () => sendMessage({ token })
  s.onmessage = e => {
    let word: { kind?: unknown; data?: LiveData }
    try {
      word = JSON.parse(String(e.data)) as typeof word
    } catch {
      return
    }
    if (typeof word.kind === 'string') {
      handleMessage(word.kind, word.data ?? {})
    }
  }
  s.onclose = () => {
    if (socket === s) {
      socket = undefined
    }
    setConnected(false)
    if (shouldConnect) {
      reconnectTimer = setTimeout(connect, reconnectDelay(attempts++, Math.random()) * 1000)
    }
  }
}

/** Opens the connection and keeps it open while somebody is signed in. Answers how to end it. */
export function openLive(): () => void {
  shouldConnect = true
  connect()
  const again = (): void => {
    clearTimeout(reconnectTimer)
    attempts = 0
    connect()
  }
  const renewed = session.subscribe((now, was) => {
    if (now.signed && was.signed && now.signed.token !== was.signed.token) {
      sendMessage({ token: now.signed.token })
    }
  })
  addEventListener('online', again)
  return () => {
    shouldConnect = false
    renewed()
    clearTimeout(reconnectTimer)
    removeEventListener('online', again)
    socket?.close()
    socket = undefined
    setConnected(false)
  }
}

/** Hears one kind of word (`gap`: some may have been missed, ask anew). Answers how to stop. */
export function onLiveMessage(kind: string, ear: LiveListener): () => void {
  const all = listeners.get(kind) ?? new Set()
  listeners.set(kind, all.add(ear))
  return () => {
    all.delete(ear)
  }
}

export const useLiveMessage = (kind: string, ear: LiveListener): void =>
  useEffect(() => onLiveMessage(kind, ear), [kind, ear])

/**
 * Hears a kind as one who asks anew at every word does: also whenever some may have been missed, before the
 * connection stood or while it was lost.
 */
export function onLiveUpdate(kind: string, ask: () => void): () => void {
  const ends = [kind, 'gap', 'ready'].map(k => onLiveMessage(k, ask))
  return () => ends.forEach(end => end())
}

export const useLiveUpdate = (kind: string, ask: () => void): void =>
  useEffect(() => onLiveUpdate(kind, ask), [kind, ask])

/** True while words arrive; those who poll may rest then. */
export const isLiveConnected = (): boolean => connected

export const onLiveStateChange = (then: () => void): (() => void) => {
  stateListeners.add(then)
  return () => {
    stateListeners.delete(then)
  }
}

/** Asks for the words of a topic, also after the connection was lost and found. Answers how to stop. */
export function subscribeTopic(topic: string): () => void {
  topics.set(topic, (topics.get(topic) ?? 0) + 1)
  sendMessage({ subscribe: [topic] })
  return () => {
    const n = (topics.get(topic) ?? 1) - 1
    if (n) {
      topics.set(topic, n)
    } else {
      topics.delete(topic)
      sendMessage({ unsubscribe: [topic] })
    }
  }
}
