import { defined } from '#kit/domain/defined.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { signSmsRequest, type SmsGateway } from './sms-signature.ts'
import type { App } from '#kit/server/app.ts'
import { keepMessage, listenOnLoopback, readBody } from './loopback-server.ts'

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
}

type SmsParams = Readonly<Record<string, string>>

interface SmsSimulator {
  readonly app: App
  readonly keyId: string
  readonly keySecret: string
  readonly usedNonces: Set<string>
  readonly delivered: DeliveredSms[]
}

const maxAgeMs = 15 * 60_000
const maxNonces = 10_000

const isSigned = (params: SmsParams, keySecret: string): boolean => {
  const actual = Buffer.from(params.Signature ?? '')
  const expected = Buffer.from(signSmsRequest('POST', params, keySecret))
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** What the gateway refuses: a wrong key, signature or age, a nonce used before, a number that is none. */
function findRefusal(
  { app, keyId, keySecret, usedNonces }: SmsSimulator,
  params: SmsParams,
): GatewayAnswer | undefined {
  const refuse = (Code: string, Message: string): GatewayAnswer => ({ Code, Message })
  if (params.AccessKeyId !== keyId)
    return refuse('InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
  if (!isSigned(params, keySecret))
    return refuse('SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
  if (Math.abs(Date.parse(params.Timestamp ?? '') - app.clock()) > maxAgeMs)
    return refuse('InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
  if (usedNonces.has(params.SignatureNonce ?? ''))
    return refuse('SignatureNonceUsed', 'Specified signature nonce was used already.')
  return /^1[3-9]\d{9}$/.test(params.PhoneNumbers ?? '')
    ? undefined
    : refuse('isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
}

const textsOf = (json: string): Readonly<Record<string, string>> => {
  const parsed: unknown = JSON.parse(json)
  return typeof parsed === 'object' && parsed !== null
    ? Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]))
    : {}
}

function deliver(simulator: SmsSimulator, params: SmsParams): GatewayAnswer {
  const refusal = findRefusal(simulator, params)
  if (refusal) return refusal
  const { app, usedNonces, delivered } = simulator
  usedNonces.add(defined(params.SignatureNonce))
  if (usedNonces.size > maxNonces) {
    usedNonces.clear()
  }
  const sms = {
    mobile: defined(params.PhoneNumbers),
    template: params.TemplateCode ?? '',
    params: textsOf(params.TemplateParam || '{}'),
    at: app.clock(),
  }
  keepMessage(delivered, sms)
  app.log.info({ sms }, `短信（模拟渠道）→ ${sms.mobile}：${Object.values(sms.params).join(' ')}`)
  return { Code: 'OK', Message: 'OK' }
}

function answerRequest(simulator: SmsSimulator, body: string): GatewayAnswer {
  try {
    return deliver(simulator, Object.fromEntries(new URLSearchParams(body)))
  } catch {
    return { Code: 'InvalidParameter', Message: 'unreadable' }
  }
}

/**
 * The other end of the SMS channel where no gateway is named: it listens on loopback, checks the real
 * signature, age and nonce as the gateway does, and puts the message into the server's log, where somebody
 * who tries the product out can read it.
 */
export async function openSmsSimulator(app: App): Promise<SmsGateway> {
  const keyId = `SIM${randomBytes(6).toString('hex')}`
  const keySecret = randomBytes(24).toString('base64url')
  const delivered: DeliveredSms[] = []
  const simulator = { app, keyId, keySecret, usedNonces: new Set<string>(), delivered }
  deliveredByApp.set(app, delivered)
  const url = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request)
    const answer = { RequestId: randomBytes(8).toString('hex'), ...answerRequest(simulator, body) }
    response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(answer))
  })
  return { endpoint: `${url}/`, keyId, keySecret, signName: '安居', templates: {} }
}
