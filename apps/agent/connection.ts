import { hostname } from 'node:os'
import {
  agentClose,
  agentPath,
  agentProtocol,
  maxMessageBytes,
  type AgentCommand,
  type AgentMessage,
  type ServerMessage,
} from '#modules/devices/contract/agent-protocol.ts'
import { monotonicMs } from './elapsed-time.ts'
import { errorText } from './error-text.ts'
import { log } from './exit-codes.ts'
import { signChallenge, type Identity } from './identity.ts'
import { BadMessage } from './json.ts'
import { ServerClock } from './server-clock.ts'
import { readServerMessage, type ReceivedMessage } from './server-message.ts'
import { retryDelay, type Timings } from './timings.ts'

export type Welcome = Extract<ServerMessage, { kind: 'welcome' }>
/** What comes once the agent is known. */
export type ConnectedMessage = Exclude<ReceivedMessage, { kind: 'challenge' | 'welcome' }>

export interface ConnectionOptions {
  readonly identity: Identity
  readonly timings: Timings
  readonly version: string
  readonly drivers: readonly string[]
  readonly allowedCommands: () => readonly AgentCommand[]
  readonly onConnected: (welcome: Welcome) => void
  readonly onMessage: (message: ConnectedMessage) => void
  readonly onLost: () => void
  readonly onRefused: () => void
}

/** A connection that has lasted so long was a good one: the next attempt begins at once. */
const goodConnectionMs = 30_000

/** Attempts that a closed connection counts for: where trying again soon cannot help. */
const attemptsByCode: Readonly<Record<number, number>> = {
  [agentClose.badMessage]: 3,
  [agentClose.replaced]: 5,
  [agentClose.protocol]: 6,
  [agentClose.tooMany]: 5,
}

const reasons: Readonly<Record<number, string>> = {
  [agentClose.badMessage]: '服务器无法识别本程序的消息',
  [agentClose.replaced]: '另一个使用同一密钥的网关程序已连接',
  [agentClose.protocol]: '服务器要求其他版本的网关程序，请升级',
  [agentClose.tooMany]: '服务器繁忙',
}

/** The reason from the server, or a local one. */
const faultOf = (error: unknown): string =>
  error instanceof BadMessage
    ? `服务器的消息有误：${error.message}`
    : `处理服务器的消息失败：${errorText(error)}`

/** The line to the server: always outward, made again with growing pauses for as long as the program runs. */
export class Connection {
  readonly #options: ConnectionOptions
  #socket: WebSocket | undefined
  #connectedAt = 0
  #serverClock = new ServerClock()
  #attempt = 0
  #silenceTimer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get isConnected(): boolean {
    return this.#connectedAt > 0
  }

  open(): void {
    const url = new URL(agentPath, this.#options.identity.server)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(url)
    this.#socket = socket
    this.#serverClock = new ServerClock()
    this.#expectMessage(socket)
    socket.addEventListener('message', event => this.#receive(socket, event.data))
    socket.addEventListener('close', event => this.#lose(socket, event.code))
    socket.addEventListener('error', () => this.#lose(socket, 0))
  }

  /** False when there is no line: what must arrive is kept by the journal and sent after the next welcome. */
  send(message: AgentMessage): boolean {
    if (!this.isConnected) return false
    if (message.kind === 'beat') {
      this.#serverClock.ask()
    }
    this.#write(message)
    return true
  }

  /** Gives the present line up and makes another one. */
  drop(reason: string): void {
    if (this.#socket) {
      this.#lose(this.#socket, agentClose.badMessage, reason)
    }
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#silenceTimer)
    this.#connectedAt = 0
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #write(message: AgentMessage): void {
    this.#socket?.send(JSON.stringify(message))
  }

  #expectMessage(socket: WebSocket): void {
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(
      () => this.#lose(socket, 0, '服务器长时间没有消息'),
      this.#options.timings.silenceMs,
    )
  }

  #receive(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket) return
    this.#expectMessage(socket)
    try {
      if (typeof data !== 'string') throw new BadMessage('消息应为文本')
      if (Buffer.byteLength(data) > maxMessageBytes) throw new BadMessage('消息过大')
      const message = readServerMessage(data)
      if (message) {
        this.#handle(message)
      }
    } catch (error) {
      if (!(error instanceof BadMessage)) {
        log(error instanceof Error ? `${error.stack}` : String(error))
      }
      this.#lose(socket, agentClose.badMessage, faultOf(error))
    }
  }

  #handle(message: ReceivedMessage): void {
    const { identity, version, drivers, allowedCommands, onConnected, onMessage } = this.#options
    if (message.kind === 'challenge') {
      if (this.isConnected) throw new BadMessage('重复的 challenge')
      this.#serverClock.ask()
      this.#write({
        kind: 'hello',
        protocol: agentProtocol,
        keyId: identity.keyId,
        signature: signChallenge(identity, message.nonce),
        version,
        hostName: hostname().slice(0, 100),
        platform: `${process.platform}-${process.arch}`,
        allowed: allowedCommands(),
        drivers,
        clock: new Date().toISOString(),
      })
    } else if (message.kind === 'welcome') {
      if (this.isConnected) throw new BadMessage('重复的 welcome')
      this.#connectedAt = monotonicMs()
      this.#serverClock.answer(message.sentMs)
      onConnected(message)
    } else if (this.isConnected) {
      onMessage(this.#timed(message))
    } else {
      throw new BadMessage(`意外的 ${message.kind}`)
    }
  }

  #timed(message: ConnectedMessage): ConnectedMessage {
    if (message.kind === 'beatAck') {
      this.#serverClock.answer(message.sentMs)
    }
    return message.kind === 'command'
      ? { ...message, ageMs: this.#serverClock.ageOf(message.sentMs) }
      : message
  }

  #lose(socket: WebSocket, code: number, reason?: string): void {
    if (socket !== this.#socket) return
    this.#socket = undefined
    clearTimeout(this.#silenceTimer)
    const wasConnected = this.isConnected
    const lasted = wasConnected ? monotonicMs() - this.#connectedAt : 0
    this.#connectedAt = 0
    if (socket.readyState === WebSocket.OPEN || socket.readyState === WebSocket.CONNECTING) {
      socket.close(code === agentClose.badMessage ? code : 1000)
    }
    if (wasConnected) {
      this.#options.onLost()
    }
    if (code === agentClose.refused) {
      this.#options.onRefused()
      return
    }
    if (this.#isStopped) return
    const minAttempt = attemptsByCode[code] ?? 0
    this.#attempt = lasted > goodConnectionMs ? minAttempt : Math.max(this.#attempt, minAttempt)
    const delay = retryDelay(this.#attempt++, this.#options.timings)
    const why = reason ?? reasons[code] ?? '连接断开或无法连接'
    log(`${why}，${Math.ceil(delay / 1000)} 秒后重新连接`)
    this.#retryTimer = setTimeout(() => this.open(), delay)
  }
}
