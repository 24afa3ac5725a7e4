import { useEffect } from 'react'
import { expireSession } from './send.ts'
import { session, useSession } from './session.ts'

/**
 * What the server sends an open browser: a kind and a few facts, ids only; the screen then requests what it
 * has the permission for.
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
/** The number of components that keep the connection open. */
let userCount = 0
let connected = false

const setConnected = (next: boolean): void => {
  if (connected !== next) {
    connected = next
    stateListeners.forEach(event => event())
  }
}

const sendMessage = (message: object): void => {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(message))
  }
}

/**
 * Sends a message that a module answers on the same connection; false while the connection is down: nothing
 * is kept for later.
 */
export function sendLive(message: object): boolean {
  if (!connected || socket?.readyState !== WebSocket.OPEN) return false
  sendMessage(message)
  return true
}

/**
 * Seconds until attempt `n`: 1, 2, 4 … 30, spread by `random` (0–1) so that after a restart not everybody
 * reconnects at once.
 */
export const reconnectDelay = (count: number, random: number): number =>
  Math.min(30, 2 ** count) * (0.75 + random / 2)

/** Messages of the connection itself: the token was accepted; the session has ended. */
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
  listeners.get(kind)?.forEach(listener => listener(data))
}

function connect(): void {
  const token = session.getState().signed?.token
  if (!shouldConnect || !token || socket) return
  const newSocket = new WebSocket(
    `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/live`,
  )
  socket = newSocket
  // The token goes in the first message, not in the address, which logs keep.
  newSocket.onopen = () => sendMessage({ token })
  newSocket.onmessage = event => {
    let message: { kind?: unknown; data?: LiveData }
    try {
      message = JSON.parse(String(event.data))
    } catch {
      return
    }
    if (typeof message.kind === 'string') {
      handleMessage(message.kind, message.data ?? {})
    }
  }
  newSocket.onclose = () => {
    if (socket === newSocket) {
      socket = undefined
    }
    setConnected(false)
    if (shouldConnect) {
      reconnectTimer = setTimeout(connect, reconnectDelay(attempts++, Math.random()) * 1000)
    }
  }
}

/**
 * Opens the shared connection and keeps it open while somebody is signed in. Returns a close function; the
 * connection ends when all users have closed it.
 */
export function openLive(): () => void {
  userCount++
  shouldConnect = true
  connect()
  const reconnectNow = (): void => {
    clearTimeout(reconnectTimer)
    attempts = 0
    connect()
  }
  const unsubscribe = session.subscribe((current, previous) => {
    if (current.signed && previous.signed && current.signed.token !== previous.signed.token) {
      sendMessage({ token: current.signed.token })
    }
  })
  addEventListener('online', reconnectNow)
  return () => {
    userCount--
    unsubscribe()
    removeEventListener('online', reconnectNow)
    if (userCount) return
    shouldConnect = false
    clearTimeout(reconnectTimer)
    socket?.close()
    socket = undefined
    setConnected(false)
  }
}

/** The connection of a page, open as long as it is shown; again when somebody else has signed in. */
export function useLiveConnection(): void {
  const userId = useSession(s => s.signed?.manager.id)
  useEffect(openLive, [userId])
}

/** Listens to one kind of message (`gap`: some may have been lost). Returns a stop function. */
export function onLiveMessage(kind: string, listener: LiveListener): () => void {
  const kindListeners = listeners.get(kind) ?? new Set()
  listeners.set(kind, kindListeners.add(listener))
  return () => {
    kindListeners.delete(listener)
  }
}

export const useLiveMessage = (kind: string, listener: LiveListener): void =>
  useEffect(() => onLiveMessage(kind, listener), [kind, listener])

/**
 * Calls back at every message of a kind, and whenever some may have been lost: before the connection was open
 * or while it was down.
 */
export function onLiveUpdate(kind: string, refetch: () => void): () => void {
  const unsubscribers = [kind, 'gap', 'ready'].map(k => onLiveMessage(k, refetch))
  return () => unsubscribers.forEach(unsubscribe => unsubscribe())
}

export const useLiveUpdate = (kind: string, refetch: () => void): void =>
  useEffect(() => onLiveUpdate(kind, refetch), [kind, refetch])

/** True while messages arrive; polling may stop then. */
export const isLiveConnected = (): boolean => connected

export const onLiveStateChange = (listener: () => void): (() => void) => {
  stateListeners.add(listener)
  return () => {
    stateListeners.delete(listener)
  }
}

/** Subscribes to a topic, again after every reconnection. Returns a stop function. */
export function subscribeTopic(topic: string): () => void {
  topics.set(topic, (topics.get(topic) ?? 0) + 1)
  sendMessage({ subscribe: [topic] })
  return () => {
    const count = (topics.get(topic) ?? 1) - 1
    if (count) {
      topics.set(topic, count)
    } else {
      topics.delete(topic)
      sendMessage({ unsubscribe: [topic] })
    }
  }
}
