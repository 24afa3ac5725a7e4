import { randomBytes } from 'node:crypto'
import { isObject } from '#kit/contract/wire/members.ts'
import { signatureOf } from '../camera-key.ts'

export interface CameraRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface CameraResponse {
  readonly status: number
  readonly body: string
  readonly etag?: string | undefined
}

export type Transport = (request: CameraRequest) => Promise<CameraResponse>

/** Longer than a poll is kept open. */
const timeoutMs = 15_000

/** Over the line to a server, `http://…` without the path. */
export const requestTo =
  (server: string): Transport =>
  async ({ method, path, headers, body }) => {
    const response = await fetch(server + path, {
      method,
      headers,
      ...(method === 'POST' ? { body: typeof body === 'string' ? body : new Uint8Array(body) } : {}),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const etag = response.headers.get('etag') ?? undefined
    return { status: response.status, body: await response.text(), etag }
  }

/** By what a camera is known: what the screen shows once. */
export interface CameraAccount {
  /** `/api/parking/v1/vzenith/1/SERIAL`. */
  readonly path: string
  readonly key: string
}

/** A car before the camera. */
export interface SimulatedCar {
  /** None where there is no plate, or it cannot be read. */
  readonly plateNo?: string | undefined
  /** 0 to 100. */
  readonly confidence?: number
  readonly picture?: Buffer
}

interface Listed {
  readonly plateNo: string
  readonly from?: string
  readonly to?: string
}

export interface SimulatedAnswer {
  readonly status: number
  readonly isOpen: boolean
  readonly text: string
}

interface Kept {
  readonly body: object
}

interface Response {
  readonly status: number
  readonly json: Record<string, unknown>
  readonly etag: string | undefined
}

const record = (value: unknown): Record<string, unknown> => (isObject(value) ? { ...value } : {})

/** Answers that say that the key or the signature is refused are tried again this often. */
const signingTries = 2

/**
 * A camera in the words of the first adapter: it signs, reports what it reads, asks what to do, keeps the
 * list of its lane, and decides by that list while it has no line; what it kept is sent afterwards, in order.
 */
export class SimulatedCamera {
  readonly #account: CameraAccount
  readonly #transport: Transport
  readonly #clock: () => number
  #plateId = 0
  #list:
    | { readonly etag: string; readonly cars: readonly Listed[]; readonly blocked: readonly string[] }
    | undefined
  #kept: Kept[] = []
  /** By how much the server's time differs from its own, as refusals tell. */
  #serverAhead = 0
  /** Seconds that its clock is ahead; records carry it. */
  clockOffset = 0
  isOffline = false

  constructor(account: CameraAccount, transport: Transport, clock: () => number = Date.now) {
    this.#account = account
    this.#transport = transport
    this.#clock = clock
  }

  get path(): string {
    return this.#account.path
  }

  get keptCount(): number {
    return this.#kept.length
  }

  #seconds(): number {
    return Math.floor(this.#clock() / 1000) + this.clockOffset
  }

  async #send(
    method: 'GET' | 'POST',
    tail: string,
    body: string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const path = this.#account.path + tail
      const timestamp = String(this.#seconds() + this.#serverAhead)
      const nonce = randomBytes(12).toString('base64url')
      const signature = signatureOf(this.#account.key, { method, path, timestamp, nonce, body })
      const signed = { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
      const response = await this.#transport({ method, path, headers: { ...headers, ...signed }, body })
      const json = record(response.body === '' ? {} : JSON.parse(response.body))
      const serverTime = json.serverTimestamp
      if (response.status !== 401 || typeof serverTime !== 'number' || attempt >= signingTries) {
        return { status: response.status, json, etag: response.etag }
      }
      this.#serverAhead = serverTime - this.#seconds()
    }
  }

  #bodyOf({ plateNo, confidence = 96, picture }: SimulatedCar, offline?: { readonly isOpen: boolean }) {
    return {
      AlarmInfoPlate: {
        channel: 0,
        deviceName: 'simulator',
        serialno: this.#account.path.split('/').at(-1),
        result: {
          PlateResult: {
            license: plateNo ?? '_无_',
            confidence: plateNo === undefined ? 0 : confidence,
            colorType: plateNo !== undefined && plateNo.length === 8 ? 5 : 1,
            direction: 0,
            triggerType: 1,
            plateid: ++this.#plateId,
            isoffline: offline ? 1 : 0,
            gioouts: offline ? [{ ionum: 0, ctrltype: offline.isOpen ? 2 : 0 }] : [],
            timeStamp: { Timeval: { sec: this.#seconds(), usec: 0 } },
            ...(picture ? { imageFile: picture.toString('base64'), imageFileLen: picture.length } : {}),
          },
        },
      },
    }
  }

  /** One push; the same body sent again is the same record. Bytes are sent as they are. */
  async push(body: object): Promise<SimulatedAnswer> {
    const content = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const { status, json } = await this.#send('POST', '', content, {
      'content-type': 'application/json',
    })
    const answer = record(json.Response_AlarmInfoPlate)
    return {
      status,
      isOpen: answer.info === 'ok',
      text: String(answer.content ?? json.message ?? ''),
    }
  }

  /** What it would push of a car: for doubles. */
  read(car: SimulatedCar): object {
    return this.#bodyOf(car)
  }

  #isAdmitted(plateNo: string | undefined): boolean {
    const today = new Date(this.#clock()).toISOString().slice(0, 10)
    const listed = this.#list?.cars.find(each => each.plateNo === plateNo)
    return listed !== undefined && (listed.from ?? today) <= today && (listed.to ?? today) >= today
  }

  /** A car comes: the server decides, or the list while there is no line. */
  async report(car: SimulatedCar, isDouble = false): Promise<SimulatedAnswer> {
    if (!this.isOffline) {
      const body = this.#bodyOf(car)
      const answer = await this.push(body)
      return isDouble ? this.push(body) : answer
    }
    const isOpen = this.#isAdmitted(car.plateNo)
    this.#kept.push({ body: this.#bodyOf(car, { isOpen }) })
    return { status: 0, isOpen, text: isOpen ? '断网，按名单放行' : '断网，不在名单' }
  }

  /** The line is there again: what was kept, in order, each once it is acknowledged. */
  async sendKept(): Promise<number> {
    let sent = 0
    for (let first = this.#kept[0]; first; first = this.#kept[0]) {
      const { status } = await this.push(first.body)
      if (status !== 200) break
      this.#kept.shift()
      sent++
    }
    return sent
  }

  /** Whether there is something new in the list. */
  async fetchList(): Promise<boolean> {
    const known = this.#list ? { 'if-none-match': this.#list.etag } : undefined
    const { status, json, etag = '' } = await this.#send('GET', '/list', '', known)
    if (status !== 200) return false
    this.#list = {
      etag,
      cars: Array.isArray(json.cars) ? json.cars : [],
      blocked: Array.isArray(json.blocked) ? json.blocked : [],
    }
    return true
  }

  get listed(): readonly string[] {
    return this.#list?.cars.map(({ plateNo }) => plateNo) ?? []
  }

  get blocked(): readonly string[] {
    return this.#list?.blocked ?? []
  }

  /** Asks what to do, does it, and reports that it did. Returns the commands. */
  async poll(): Promise<readonly number[]> {
    const { json } = await this.#send('POST', '', 'serialno=simulator', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const { commandIds } = record(json.Response_AlarmInfoPlate)
    const ids = Array.isArray(commandIds) ? commandIds.map(Number) : []
    for (const commandId of ids) {
      await this.endCommand(commandId, '模拟道闸已开')
    }
    return ids
  }

  async endCommand(commandId: number, result: string): Promise<void> {
    const body = JSON.stringify({ commandId, isDone: true, result })
    await this.#send('POST', '/result', body, { 'content-type': 'application/json' })
  }
}
