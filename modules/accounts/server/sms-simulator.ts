import { defined } from '#kit/domain/defined.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signSmsRequest, type SmsGateway } from './sms-signature.ts'
import type { App } from '../../../kit/server/app.ts'

export interface DeliveredSms {
  readonly mobile: string
  readonly template: string
  readonly params: Readonly<Record<string, string>>
  readonly at: number
}

const deliveredByApp = new WeakMap<App, DeliveredSms[]>()

/** What the simulator has delivered, latest last, at most a thousand. */
export const deliveredSms = (app: App): readonly DeliveredSms[] => deliveredByApp.get(app) ?? []

/**
 * The other end of the SMS channel where no gateway is named: it listens on loopback, checks the real
 * signature, age and nonce as the gateway does, and puts the message into the server's log, where somebody
 * who tries the product out can read it.
 */
export async function openSmsSimulator(app: App): Promise<SmsGateway> {
  const keyId = `SIM${randomBytes(6).toString('hex')}`
  const keySecret = randomBytes(24).toString('base64url')
  const nonces = new Set<string>()
  const box: DeliveredSms[] = []
  deliveredByApp.set(app, box)
  const judge = (p: Readonly<Record<string, string>>): { Code: string; Message: string } => {
    const no = (Code: string, Message: string) => ({ Code, Message })
    if (p.AccessKeyId !== keyId)
      return no('InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
    const said = Buffer.from(p.Signature ?? '')
    const is = Buffer.from(signSmsRequest('POST', p, keySecret))
    if (said.length !== is.length || !timingSafeEqual(said, is))
      return no('SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
    if (Math.abs(Date.parse(p.Timestamp ?? '') - app.clock()) > 15 * 60_000)
      return no('InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
    if (nonces.has(p.SignatureNonce ?? ''))
      return no('SignatureNonceUsed', 'Specified signature nonce was used already.')
    if (!/^1[3-9]\d{9}$/.test(p.PhoneNumbers ?? '')) return no('isv.MOBILE_NUMBER_ILLEGAL', '非法手机号')
    nonces.add(defined(p.SignatureNonce))
    if (nonces.size > 10_000) {
      nonces.clear()
    }
    const one = {
      mobile: defined(p.PhoneNumbers),
      template: p.TemplateCode ?? '',
      params: JSON.parse(p.TemplateParam || '{}') as Record<string, string>,
      at: app.clock(),
    }
    box.push(one)
    if (box.length > 1000) {
      box.shift()
    }
    app.log.info({ sms: one }, `短信（本机模拟）→ ${one.mobile}：${Object.values(one.params).join(' ')}`)
    return { Code: 'OK', Message: 'OK' }
  }
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (b: Buffer) => {
      if (parts.length < 100) {
        parts.push(b)
      }
    })
    req.on('end', () => {
      let said: object
      try {
        said = judge(Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString('utf8'))))
      } catch {
        said = { Code: 'InvalidParameter', Message: 'unreadable' }
      }
      res
        .setHeader('content-type', 'application/json; charset=utf-8')
        .end(JSON.stringify({ RequestId: randomBytes(8).toString('hex'), ...said }))
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  server.unref()
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    keyId,
    keySecret,
    signName: '安居',
    templates: {},
  }
}
