import { defined } from '#kit/domain/defined.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { signSmsRequest, type SmsGateway, type SmsProvider } from './sms-signature.ts'
import type { App } from '#kit/server/app.ts'
import { keepMessage, listenOnLoopback, readBody } from './loopback-server.ts'
import { reportLater, type ReportedSms } from './sms-simulated-report.ts'
import { signTencentRequest } from './sms-tencent.ts'

export interface DeliveredSms {
  readonly mobile: string
  readonly template: string
  readonly params: Readonly<Record<string, string>>
  readonly at: number
}

const deliveredByApp = new WeakMap<App, DeliveredSms[]>()

/** What the simulator has delivered, latest last, at most a thousand. */
export const deliveredSms = (app: App): readonly DeliveredSms[] => deliveredByApp.get(app) ?? []

interface GatewayAnswer {
  readonly Code: string
  readonly Message: string
  readonly BizId?: string
}

type SmsParams = Readonly<Record<string, string>>

interface SmsSimulator {
  readonly app: App
  readonly provider: SmsProvider
  readonly keyId: string
  readonly keySecret: string
  readonly usedNonces: Set<string>
  readonly delivered: DeliveredSms[]
}

const maxAgeMs = 15 * 60_000
const maxNonces = 10_000

const refuse = (Code: string, Message: string): GatewayAnswer => ({ Code, Message })

const isEqual = (a: string, b: string): boolean => {
  const actual = Buffer.from(a)
  const expected = Buffer.from(b)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** What the gateway of Alibaba Cloud refuses: a wrong key, signature or age, a nonce that was used before. */
function findRefusal(
  { app, keyId, keySecret, usedNonces }: SmsSimulator,
  params: SmsParams,
): GatewayAnswer | undefined {
  if (params.AccessKeyId !== keyId)
    return refuse('InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
  if (!isEqual(params.Signature ?? '', signSmsRequest('POST', params, keySecret)))
    return refuse('SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
  if (Math.abs(Date.parse(params.Timestamp ?? '') - app.clock()) > maxAgeMs)
    return refuse('InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
  if (usedNonces.has(params.SignatureNonce ?? ''))
    return refuse('SignatureNonceUsed', 'Specified signature nonce was used already.')
  return undefined
}

/** Numbers stand for what a network does: 0403 is on the black list, 0429 has had too many. */
function findNumberRefusal(provider: SmsProvider, mobile: string): GatewayAnswer | undefined {
  const isAliyun = provider === 'aliyun'
  if (!/^1[3-9]\d{9}$/.test(mobile))
    return isAliyun
      ? refuse('isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
      : refuse('InvalidParameterValue.IncorrectPhoneNumber', '手机号格式错误')
  if (mobile.endsWith('0403'))
    return isAliyun
      ? refuse('isv.BLACK_KEY_CONTROL_LIMIT', '黑名单管控')
      : refuse('FailedOperation.PhoneNumberInBlacklist', '手机号在免打扰名单库中')
  if (mobile.endsWith('0429'))
    return isAliyun
      ? refuse('isv.BUSINESS_LIMIT_CONTROL', '业务限流')
      : refuse('LimitExceeded.PhoneNumberDailyLimit', '单个手机号日下发数量超过上限')
  return undefined
}

const textsOf = (json: string): Readonly<Record<string, string>> => {
  const parsed: unknown = JSON.parse(json)
  return typeof parsed === 'object' && parsed !== null
    ? Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]))
    : {}
}

function accept(simulator: SmsSimulator, sms: DeliveredSms, outId: string | undefined): string {
  const { app, delivered, provider } = simulator
  keepMessage(delivered, sms)
  app.log.info({ sms }, `短信（模拟渠道）→ ${sms.mobile}：${Object.values(sms.params).join(' ')}`)
  const reported: ReportedSms = { provider, mobile: sms.mobile, ref: randomBytes(10).toString('hex'), outId }
  reportLater(app, reported)
  return reported.ref
}

function deliverAliyun(simulator: SmsSimulator, params: SmsParams): GatewayAnswer {
  const mobile = params.PhoneNumbers ?? ''
  const refusal = findRefusal(simulator, params) ?? findNumberRefusal('aliyun', mobile)
  if (refusal) return refusal
  const { app, usedNonces } = simulator
  usedNonces.add(defined(params.SignatureNonce))
  if (usedNonces.size > maxNonces) {
    usedNonces.clear()
  }
  const sms = {
    mobile,
    template: params.TemplateCode ?? '',
    params: textsOf(params.TemplateParam || '{}'),
    at: app.clock(),
  }
  return { Code: 'OK', Message: 'OK', BizId: accept(simulator, sms, params.OutId) }
}

interface TencentBody {
  readonly PhoneNumberSet?: readonly string[]
  readonly TemplateId?: string
  readonly TemplateParamSet?: readonly string[]
  readonly SessionContext?: string
}

const tencentError = (Code: string, Message: string): object => ({ Response: { Error: { Code, Message } } })

function deliverTencent(simulator: SmsSimulator, request: IncomingMessage, body: string): object {
  const { app } = simulator
  const timestamp = Number(request.headers['x-tc-timestamp'])
  const expected = signTencentRequest(simulator, { host: request.headers.host ?? '', body, timestamp })
  if (!isEqual(request.headers.authorization ?? '', expected))
    return tencentError('AuthFailure.SignatureFailure', 'The provided credentials could not be validated.')
  if (Math.abs(timestamp * 1000 - app.clock()) > maxAgeMs)
    return tencentError('AuthFailure.SignatureExpire', 'Signature expired.')
  const {
    PhoneNumberSet,
    TemplateId = '',
    TemplateParamSet = [],
    SessionContext,
  } = JSON.parse(body) as TencentBody
  const mobile = (PhoneNumberSet?.[0] ?? '').replace(/^\+86/, '')
  const refusal = findNumberRefusal('tencent', mobile)
  const params = Object.fromEntries(TemplateParamSet.map((value, i) => [String(i + 1), value]))
  const sms = { mobile, template: TemplateId, params, at: app.clock() }
  const status = refusal ?? {
    Code: 'Ok',
    Message: 'send success',
    SerialNo: accept(simulator, sms, SessionContext),
  }
  return { Response: { SendStatusSet: [{ PhoneNumber: `+86${mobile}`, Fee: 1, ...status }] } }
}

function answerRequest(simulator: SmsSimulator, request: IncomingMessage, body: string): object {
  try {
    return simulator.provider === 'tencent'
      ? deliverTencent(simulator, request, body)
      : deliverAliyun(simulator, Object.fromEntries(new URLSearchParams(body)))
  } catch {
    return { Code: 'InvalidParameter', Message: 'unreadable' }
  }
}

/**
 * The other end of the SMS channel where no gateway is named: it listens on loopback, checks the real
 * signature, age and nonce as the gateway does, puts the message into the server's log, where somebody who
 * tries the product out can read it, and reports its delivery, late and twice.
 */
export async function openSmsSimulator(app: App, provider: SmsProvider = 'aliyun'): Promise<SmsGateway> {
  const keyId = `SIM${randomBytes(6).toString('hex')}`
  const keySecret = randomBytes(24).toString('base64url')
  const delivered: DeliveredSms[] = []
  const simulator = { app, provider, keyId, keySecret, usedNonces: new Set<string>(), delivered }
  deliveredByApp.set(app, delivered)
  const url = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request)
    const answer = {
      RequestId: randomBytes(8).toString('hex'),
      ...answerRequest(simulator, request, body),
    }
    response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(answer))
  })
  return { endpoint: `${url}/`, keyId, keySecret, signName: '安居', templates: {} }
}
