import { readJsonAnswer } from './json-answer.ts'
import { randomUUID } from 'node:crypto'
import { signSmsRequest, type SmsGateway, type SmsProvider } from './sms-signature.ts'
import { openSmsSimulator } from './sms-simulator.ts'
import type { App } from '../../../kit/server/app.ts'
import { smsSettings } from './settings.ts'
import { smsFaultOf, smsUnreachable, smsUnreadable } from './sms-fault.ts'
import { openTencentSms } from './sms-tencent.ts'

/** A channel for short messages. Throws an `SmsFault` when the gateway did not take the message. */
export interface Sms {
  /** `outId` comes back with the delivery report. Answers the gateway's number of the message. */
  send(
    mobile: string,
    template: string,
    params: Readonly<Record<string, string>>,
    outId?: string,
  ): Promise<{ readonly ref?: string }>
}

/** `workOrderPay` is set by `SMS_TEMPLATE_WORK_ORDER_PAY`; settings are read in lower case. */
const settingKey = (template: string): string =>
  template.replaceAll(/[A-Z]/g, letter => `_${letter}`).toLowerCase()

/** The number of a template at the gateway, where a setting gives it; else it is that number itself. */
export const templateCodeOf = ({ templates }: Pick<SmsGateway, 'templates'>, template: string): string =>
  templates[settingKey(template)] ?? template

interface AliyunAnswer {
  readonly Code?: string
  readonly Message?: string
  readonly BizId?: string
}

/** The gateway of Alibaba Cloud, API version 2017-05-25. */
export const openSms = (gateway: SmsGateway, clock: () => number): Sms => ({
  send: async (mobile, template, params, outId) => {
    const all: Record<string, string> = {
      Action: 'SendSms',
      Version: '2017-05-25',
      Format: 'JSON',
      RegionId: 'cn-hangzhou',
      AccessKeyId: gateway.keyId,
      SignatureMethod: 'HMAC-SHA1',
      SignatureVersion: '1.0',
      SignatureNonce: randomUUID(),
      Timestamp: new Date(clock()).toISOString().replace(/\.\d+Z$/, 'Z'),
      PhoneNumbers: mobile,
      SignName: gateway.signName,
      TemplateCode: templateCodeOf(gateway, template),
      TemplateParam: JSON.stringify(params),
      ...(outId ? { OutId: outId } : {}),
    }
    const body = new URLSearchParams({
      ...all,
      Signature: signSmsRequest('POST', all, gateway.keySecret),
    }).toString()
    const response = await fetch(gateway.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      signal: AbortSignal.timeout(10_000),
      body,
    }).catch((error: unknown) => {
      throw smsUnreachable(error)
    })
    const { Code, Message, BizId } = await readJsonAnswer<AliyunAnswer>(response, {})
    if (Code === undefined) throw smsUnreadable(response.status)
    if (Code !== 'OK') throw smsFaultOf(Code, Message ?? '')
    return BizId ? { ref: BizId } : {}
  },
})

const smsByApp = new WeakMap<App, Promise<Sms>>()

async function gatewayOf(app: App, provider: SmsProvider): Promise<SmsGateway> {
  const endpoint = smsSettings.endpoint.read()
  if (!endpoint) return openSmsSimulator(app, provider)
  return {
    endpoint,
    keyId: smsSettings.keyId.read(),
    keySecret: smsSettings.keySecret.read(),
    signName: smsSettings.signName.read(),
    templates: smsSettings.templates.read(),
    appId: smsSettings.appId.read(),
    region: smsSettings.region.read(),
  }
}

/**
 * The channel of this server: the gateway named by `SMS_ENDPOINT`, `SMS_PROVIDER`, `SMS_KEY_ID`,
 * `SMS_KEY_SECRET`, `SMS_SIGN_NAME` and `SMS_TEMPLATE_…`, else our own simulator on loopback.
 */
export function smsOf(app: App): Promise<Sms> {
  const open = async (): Promise<Sms> => {
    const provider = smsSettings.provider.read() || 'aliyun'
    const gateway = await gatewayOf(app, provider)
    return provider === 'tencent' ? openTencentSms(gateway, app.clock) : openSms(gateway, app.clock)
  }
  let pending = smsByApp.get(app)
  if (!pending) {
    smsByApp.set(app, (pending = open()))
    pending.catch(() => smsByApp.delete(app))
  }
  return pending
}

/** The signature that the gateway puts before every message of this installation. */
export const smsSignName = (): string => smsSettings.signName.read()
