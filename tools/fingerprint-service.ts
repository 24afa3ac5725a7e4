import { randomBytes } from 'node:crypto'
import websocket from '@fastify/websocket'
import fastify from 'fastify'

/**
 * Stands in for the fingerprint service of an office computer (0§7) with its commands, states and codes, on
 * the loopback address. One connection at a time owns the reader, as with the real one.
 */

export interface SimulatorOptions {
  /** 0: any free one. */
  readonly port: number
  /** Presses that an enrolment takes. */
  readonly presses: number
  /** Codes that the next presses fail with, in order. */
  readonly faults: readonly number[]
  /** Codes with which the next commands of a name are answered, in order. */
  readonly refusals?: Readonly<Record<string, readonly number[]>>
  /** Milliseconds between two presses. */
  readonly pressMs: number
}

export interface FingerprintSimulator {
  readonly port: number
  close(): Promise<void>
}

interface Socket {
  send(text: string): void
  on(event: 'message', listener: (data: { toString(): string }) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

const successCode = 10000
const invalidParameterCode = 10003
const unsupportedCode = 10005
const notOpenCode = 10014
const keepPressingCode = 10010
const inUseCode = 10017
const deviceSn = 'SIM-FP-0001'

/** The reader: who has it open, and whose enrolment runs. */
class Reader {
  #owner: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #faults: number[]
  readonly #refusals: Map<string, number[]>
  readonly #options: SimulatorOptions

  constructor(options: SimulatorOptions) {
    this.#options = options
    this.#faults = [...options.faults]
    this.#refusals = new Map(
      Object.entries(options.refusals ?? {}).map(([command, codes]) => [command, [...codes]]),
    )
  }

  handle(socket: Socket, text: string): void {
    const command = commandOf(text)
    const answer = (code: number, data?: object): void =>
      socket.send(JSON.stringify({ cmd: command ?? 'info', code, ...(data && { data }) }))
    const refusal = this.#refusals.get(command ?? '')?.shift()
    if (refusal !== undefined) return answer(refusal)
    switch (command) {
      case 'info':
        return answer(successCode, { deviceSn, pressCount: this.#options.presses })
      case 'getstatus':
        return answer(successCode, {
          open: this.#owner !== undefined,
          registering: this.#timer !== undefined,
        })
      case 'open':
        return answer(this.#open(socket))
      case 'close':
        return answer(this.release(socket) ? successCode : notOpenCode)
      case 'cancelregister':
        this.#stop()
        return answer(successCode)
      case 'register':
        return this.#owner === socket ? this.#register(answer) : answer(notOpenCode)
      case undefined:
        return answer(invalidParameterCode)
      default:
        return answer(unsupportedCode)
    }
  }

  release(socket: Socket): boolean {
    if (this.#owner !== socket) return false
    this.#stop()
    this.#owner = undefined
    return true
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #open(socket: Socket): number {
    if (this.#owner !== undefined && this.#owner !== socket) return inUseCode
    this.#owner = socket
    return successCode
  }

  /** A finger is pressed again and again until the template is there or a fault is due. */
  #register(answer: (code: number, data?: object) => void): void {
    this.#stop()
    answer(successCode, { pressed: 0 })
    let pressed = 0
    const press = (): void => {
      const fault = this.#faults.shift()
      if (fault === keepPressingCode) {
        answer(fault)
        this.#timer = setTimeout(press, this.#options.pressMs)
        return
      }
      if (fault !== undefined) {
        this.#stop()
        answer(fault)
        return
      }
      pressed++
      if (pressed < this.#options.presses) {
        answer(successCode, { pressed })
        this.#timer = setTimeout(press, this.#options.pressMs)
        return
      }
      this.#stop()
      answer(successCode, { template: randomBytes(512).toString('base64'), deviceSn })
    }
    this.#timer = setTimeout(press, this.#options.pressMs)
  }
}

function commandOf(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && 'cmd' in parsed && typeof parsed.cmd === 'string'
      ? parsed.cmd
      : undefined
  } catch {
    return undefined
  }
}

export async function startFingerprintSimulator(options: SimulatorOptions): Promise<FingerprintSimulator> {
  const reader = new Reader(options)
  const http = fastify()
  await http.register(websocket)
  await http.register(async scope => {
    scope.get('/', { websocket: true }, (socket: Socket) => {
      socket.on('message', data => reader.handle(socket, data.toString()))
      socket.on('close', () => reader.release(socket))
    })
  })
  await http.listen({ host: '127.0.0.1', port: options.port })
  return { port: Number(new URL(http.listeningOrigin).port), close: () => http.close() }
}
