import { isObject, parseJson, type JsonObject } from '../../json.ts'
import { DeviceOffline, DriverFailure } from '../driver.ts'
import { authorization, readChallenge, type Challenge } from './digest.ts'

export interface ClientOptions {
  /** `192.168.1.64`, with a port or with `https://`. */
  readonly address: string
  readonly user: string
  readonly password: string
  readonly timeoutMs: number
}

export interface IsapiRequest {
  readonly method: 'GET' | 'PUT' | 'POST'
  /** With its query. */
  readonly path: string
  readonly json?: JsonObject
  readonly xml?: string
  readonly form?: FormData
  readonly signal?: AbortSignal
  /** The timeout of a request that waits for a person. */
  readonly timeoutMs?: number
}

/** The controller is there and will not: its own word for it, and ours. */
export class ControllerRefusal extends DriverFailure {
  readonly subStatus: string

  constructor(subStatus: string) {
    super(refusalText(subStatus))
    this.subStatus = subStatus
  }
}

/** What controllers answer in `subStatusCode`, by what its name contains. */
const refusalTexts: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/full|exceed|upperlimit|reachlimit|overflow/i, '设备容量已满'],
  [/cardno.*exist/i, '设备中已有此卡号'],
  [/modeling|noface|facescore|facequality|subpicanalysis/i, '照片中未检测到合格的人脸'],
  [/timeout/i, '设备等待超时'],
  [/notsupport|unsupported/i, '设备不支持此功能'],
  [/lowprivilege|unauthorized/i, '设备账号没有此权限'],
  [/busy/i, '设备正忙，请稍后再试'],
]

const refusalText = (subStatus: string): string =>
  refusalTexts.find(([pattern]) => pattern.test(subStatus))?.[1] ?? `设备拒绝：${subStatus}`

const originOf = (address: string): string => {
  const text = /^https?:\/\//.test(address) ? address : `http://${address}`
  if (!URL.canParse(text)) throw new DriverFailure(`设备地址 ${address} 不对，应如 192.168.1.64`)
  return new URL(text).origin
}

const tagOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

/** What a controller answered: the members of a JSON object, or one of XML by its tags. */
export interface IsapiAnswer {
  readonly json: JsonObject
  readonly tag: (name: string) => string | undefined
  readonly bytes: Buffer
}

function answerOf(bytes: Buffer): IsapiAnswer {
  const text = bytes.toString('utf8')
  const json = text.trimStart().startsWith('{') ? parseJson(text) : {}
  return { json: isObject(json) ? json : {}, tag: name => tagOf(text, name), bytes }
}

/** One controller over ISAPI: HTTP with digest, JSON and XML. */
export class IsapiClient {
  readonly #options: ClientOptions
  readonly #origin: string
  #challenge: Challenge | undefined
  #used = 0

  constructor(options: ClientOptions) {
    this.#options = options
    this.#origin = originOf(options.address)
  }

  /** Throws DeviceOffline where there is no answer, ControllerRefusal where it is one that will not. */
  async ask(request: IsapiRequest): Promise<IsapiAnswer> {
    const response = await this.#withDigest(request)
    const answer = answerOf(await this.#bytesOf(response))
    const subStatus = String(answer.json.subStatusCode ?? answer.tag('subStatusCode') ?? 'ok')
    const isRefused = response.status >= 400 || Number(answer.json.statusCode ?? 1) !== 1
    if (!isRefused) return answer
    if (response.status >= 500) throw new DeviceOffline(`设备故障（HTTP ${response.status}）`)
    throw new ControllerRefusal(subStatus === 'ok' ? `HTTP ${response.status}` : subStatus)
  }

  async #bytesOf(response: Response): Promise<Buffer> {
    try {
      return Buffer.from(await response.arrayBuffer())
    } catch {
      throw new DeviceOffline('设备未连接')
    }
  }

  async #withDigest(request: IsapiRequest): Promise<Response> {
    const first = await this.#send(request)
    if (first.status !== 401) return first
    await first.body?.cancel()
    this.#challenge = readChallenge(first.headers.get('www-authenticate'))
    this.#used = 0
    const second = this.#challenge ? await this.#send(request) : first
    if (second.status === 401) throw new DriverFailure('设备的用户名或密码不正确，请修改驱动参数')
    return second
  }

  async #send(request: IsapiRequest): Promise<Response> {
    const { method, path, json, xml, form, signal, timeoutMs = this.#options.timeoutMs } = request
    const late = AbortSignal.timeout(timeoutMs)
    const text = json === undefined ? xml : JSON.stringify(json)
    const type = json === undefined ? 'application/xml' : 'application/json'
    try {
      return await fetch(`${this.#origin}${path}`, {
        method,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late]) : late,
        headers: {
          ...this.#authorization(method, path),
          ...(text !== undefined && { 'content-type': type }),
        },
        ...((form ?? text) === undefined ? {} : { body: form ?? text }),
      })
    } catch {
      throw new DeviceOffline(signal?.aborted ? '已停止等待设备' : '设备未连接')
    }
  }

  #authorization(method: string, uri: string): { readonly authorization?: string } {
    if (!this.#challenge) return {}
    const request = { method, uri, used: ++this.#used }
    return { authorization: authorization(this.#options, this.#challenge, request) }
  }
}
