import { randomUUID } from 'node:crypto'
import { isObject, type RawObject } from '#kit/contract/wire/members.ts'

/** What a pile does that is not as it should be. */
export type PileFault = 'none' | 'refusesStart' | 'silentStart'

export interface PileOptions {
  /** `ws://…/api/ocpp/company/pile` */
  readonly url: string
  readonly hubNo: string
  readonly key: string
  readonly ports: number
  /** What each port delivers. */
  readonly watts: number
  /** So many seconds of charging pass in one of the clock. */
  readonly speed: number
  readonly log?: (line: string) => void
}

interface Charging {
  readonly idTag: string
  transactionId: number
  deliveredWh: number
  /** So much fits in; then the vehicle takes no more. */
  readonly capacityWh: number
  isFull: boolean
}

interface SimulatedPort {
  readonly portNo: number
  meterWh: number
  charging: Charging | undefined
}

type Waiting = (answer: RawObject | undefined) => void

/**
 * A pile that speaks OCPP 1.6J and charges nothing: for demos and tests. What it could not report while its
 * line was lost it reports later, in order.
 */
export class SimulatedPile {
  fault: PileFault = 'none'
  readonly #options: PileOptions
  readonly #ports: readonly SimulatedPort[]
  readonly #waiting = new Map<string, Waiting>()
  /** Reports that have not been answered; the first goes first. */
  readonly #queue: { readonly action: string; readonly payload: object; readonly done: Waiting }[] = []
  #socket: WebSocket | undefined
  #isSending = false
  #isStopped = false
  #lastMinute = 0
  #sinceHeartbeat = 0

  constructor(options: PileOptions) {
    this.#options = options
    this.#ports = Array.from({ length: options.ports }, (_, i) => ({
      portNo: i + 1,
      meterWh: 10_000 * (i + 1),
      charging: undefined,
    }))
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Connects and says what it is; false where the server does not take it. */
  async connect(): Promise<boolean> {
    const { url, hubNo, key } = this.#options
    const authorization = `Basic ${Buffer.from(`${hubNo}:${key}`).toString('base64')}`
    const socket = new WebSocket(url, { protocols: 'ocpp1.6', headers: { authorization } })
    const opened = await new Promise<boolean>(resolve => {
      socket.addEventListener('open', () => resolve(true))
      socket.addEventListener('error', () => resolve(false))
      socket.addEventListener('close', () => resolve(false))
    })
    if (!opened) return false
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    socket.addEventListener('close', () => this.#lose(socket))
    await this.#call('BootNotification', { chargePointVendor: 'Anju', chargePointModel: 'Simulator' })
    for (const port of this.#ports) {
      await this.#call('StatusNotification', this.#statusOf(port))
    }
    this.#sendQueue()
    return true
  }

  /** The line is lost: charging goes on, and what happens is reported later. */
  dropLine(): void {
    this.#socket?.close()
    this.#socket = undefined
  }

  /** Loses power for a moment: what it charged has ended. */
  restart(): void {
    for (const port of this.#ports) {
      this.#endCharge(port, 'PowerLoss')
    }
    this.dropLine()
  }

  stop(): void {
    this.#isStopped = true
    this.dropLine()
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** So many seconds of the clock have passed. */
  tick(seconds: number): void {
    const { watts, speed } = this.#options
    for (const port of this.#ports) {
      const { charging } = port
      if (!charging || charging.isFull) continue
      const wattHours = Math.min((watts * seconds * speed) / 3600, charging.capacityWh - charging.deliveredWh)
      charging.deliveredWh += wattHours
      port.meterWh += wattHours
      if (charging.deliveredWh >= charging.capacityWh) {
        charging.isFull = true
        this.#report('StatusNotification', this.#statusOf(port))
      }
    }
    this.#sinceHeartbeat += seconds
    if (this.#sinceHeartbeat >= 60) {
      this.#sinceHeartbeat = 0
      this.#call('Heartbeat', {}).catch(() => {})
    }
    this.#lastMinute += seconds * speed
    if (this.#lastMinute >= 60) {
      this.#lastMinute = 0
      this.reportReadings()
    }
  }

  reportReadings(): void {
    for (const { portNo, meterWh, charging } of this.#ports) {
      if (!charging?.transactionId) continue
      this.#report('MeterValues', {
        connectorId: portNo,
        transactionId: charging.transactionId,
        meterValue: [
          {
            timestamp: new Date().toISOString(),
            sampledValue: [{ value: meterWh.toFixed(0), unit: 'Wh' }],
          },
        ],
      })
    }
  }

  /** The driver pulls the plug. */
  unplug(portNo: number): void {
    const port = this.#ports.find(each => each.portNo === portNo)
    if (port) {
      this.#endCharge(port, 'EVDisconnected')
    }
  }

  #statusOf({ portNo, charging }: SimulatedPort): object {
    const charged = charging?.isFull ? 'SuspendedEV' : 'Charging'
    return {
      connectorId: portNo,
      status: charging ? charged : 'Available',
      errorCode: 'NoError',
      timestamp: new Date().toISOString(),
    }
  }

  #lose(socket: WebSocket): void {
    if (this.#socket === socket) {
      this.#socket = undefined
    }
    this.#isSending = false
    for (const [id, done] of this.#waiting) {
      this.#waiting.delete(id)
      done(undefined)
    }
  }

  #call(action: string, payload: object): Promise<RawObject | undefined> {
    if (!this.isConnected) return Promise.resolve(undefined)
    const id = randomUUID()
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.#socket?.send(JSON.stringify([2, id, action, payload]))
    })
  }

  /** Now, or once the line is back. */
  #report(action: string, payload: object, done: Waiting = () => {}): void {
    this.#queue.push({ action, payload, done })
    this.#sendQueue()
  }

  #sendQueue(): void {
    const [first] = this.#queue
    if (!first || this.#isSending || !this.isConnected) return
    this.#isSending = true
    this.#call(first.action, first.payload).then(
      answer => {
        this.#isSending = false
        if (!answer) return
        this.#queue.shift()
        first.done(answer)
        this.#sendQueue()
      },
      () => {
        this.#isSending = false
      },
    )
  }

  #receive(text: string): void {
    const frame: unknown = JSON.parse(text)
    if (!Array.isArray(frame)) return
    const [type, id, third, fourth]: unknown[] = frame
    if (type === 2) {
      this.#obey(String(id), String(third), isObject(fourth) ? fourth : {})
      return
    }
    const done = this.#waiting.get(String(id))
    this.#waiting.delete(String(id))
    done?.(type === 3 && isObject(third) ? third : {})
  }

  #obey(id: string, action: string, payload: RawObject): void {
    const { log } = this.#options
    log?.(`充电桩 ${this.#options.hubNo}：${action} ${JSON.stringify(payload)}`)
    if (action === 'RemoteStartTransaction' && this.fault === 'silentStart') return
    const isAccepted = this.#carryOut(action, payload)
    this.#socket?.send(JSON.stringify([3, id, { status: isAccepted ? 'Accepted' : 'Rejected' }]))
  }

  #carryOut(action: string, payload: RawObject): boolean {
    switch (action) {
      case 'RemoteStartTransaction':
        return this.fault === 'none' && this.#begin(Number(payload.connectorId), String(payload.idTag))
      case 'RemoteStopTransaction': {
        const port = this.#ports.find(each => each.charging?.transactionId === payload.transactionId)
        if (port) {
          this.#endCharge(port, 'Remote')
        }
        return port !== undefined
      }
      case 'Reset':
        setTimeout(() => this.restart(), 500).unref()
        return true
      case 'UnlockConnector':
        return true
      default:
        return false
    }
  }

  #begin(portNo: number, idTag: string): boolean {
    const port = this.#ports.find(each => each.portNo === portNo)
    if (!port || port.charging) return false
    const charging: Charging = {
      idTag,
      transactionId: 0,
      deliveredWh: 0,
      capacityWh: 20_000 + 5_000 * portNo,
      isFull: false,
    }
    port.charging = charging
    const start = {
      connectorId: portNo,
      idTag,
      meterStart: Math.round(port.meterWh),
      timestamp: new Date().toISOString(),
    }
    this.#report('StartTransaction', start, answer => {
      charging.transactionId = Number(answer?.transactionId)
      const info = isObject(answer?.idTagInfo) ? answer.idTagInfo : {}
      if (info.status !== 'Accepted') {
        this.#endCharge(port, 'DeAuthorized')
      }
    })
    this.#report('StatusNotification', this.#statusOf(port))
    return true
  }

  #endCharge(port: SimulatedPort, reason: string): void {
    const { charging } = port
    if (!charging) return
    port.charging = undefined
    if (charging.transactionId > 0) {
      this.#report('StopTransaction', {
        transactionId: charging.transactionId,
        meterStop: Math.round(port.meterWh),
        timestamp: new Date().toISOString(),
        reason,
      })
    }
    this.#report('StatusNotification', this.#statusOf(port))
  }
}
