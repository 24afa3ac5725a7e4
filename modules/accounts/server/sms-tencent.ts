import { createHash, createHmac } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import { readJsonAnswer } from './json-answer.ts'
import { smsFaultOf, smsUnreachable, smsUnreadable } from './sms-fault.ts'
import type { SmsGateway } from './sms-signature.ts'
import { templateCodeOf, type Sms } from './sms.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const contentType = 'application/json; charset=utf-8'
const action = 'SendSms'
const signedHeaders = 'content-type;host;x-tc-action'

/** The `Authorization` of a request to Tencent Cloud (TC3-HMAC-SHA256). */
export function signTencentRequest(
  { keyId, keySecret }: Pick<SmsGateway, 'keyId' | 'keySecret'>,
  { host, body, timestamp }: { readonly host: string; readonly body: string; readonly timestamp: number },
): string {
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const canonical = [
    'POST',
    '/',
    '',
    `content-type:${contentType}`,
    `host:${host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const credential = `${date}/sms/tc3_request`
  const text = ['TC3-HMAC-SHA256', timestamp, credential, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(`TC3${keySecret}`, date), 'sms'), 'tc3_request')
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `TC3-HMAC-SHA256 Credential=${keyId}/${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

interface TencentAnswer {
  readonly Response?: {
    readonly SendStatusSet?: readonly {
      readonly SerialNo?: string
      readonly Code?: string
      readonly Message?: string
    }[]
    readonly Error?: { readonly Code?: string; readonly Message?: string }
  }
}

/** The gateway of Tencent Cloud, API version 2021-01-11: a template takes its parameters in their order. */
export const openTencentSms = (gateway: SmsGateway, clock: () => number): Sms => ({
  send: async (mobile, template, params, outId) => {
    const body = JSON.stringify({
      PhoneNumberSet: [`+86${mobile}`],
      SmsSdkAppId: gateway.appId ?? '',
      SignName: gateway.signName,
      TemplateId: templateCodeOf(gateway, template),
      TemplateParamSet: Object.values(params),
      ...(outId ? { SessionContext: outId } : {}),
    })
    const host = new URL(gateway.endpoint).host
    const timestamp = Math.floor(clock() / 1000)
    const response = await fetch(gateway.endpoint, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        authorization: signTencentRequest(gateway, { host, body, timestamp }),
        'x-tc-action': action,
        'x-tc-timestamp': String(timestamp),
        'x-tc-version': '2021-01-11',
        'x-tc-region': gateway.region ?? 'ap-guangzhou',
      },
      signal: AbortSignal.timeout(10_000),
      body,
    }).catch((error: unknown) => {
      throw smsUnreachable(error)
    })
    const { Response: answer } = await readJsonAnswer<TencentAnswer>(response, {})
    const [status] = answer?.SendStatusSet ?? []
    const code = answer?.Error?.Code ?? status?.Code
    if (code === undefined) throw smsUnreadable(response.status)
    if (code !== 'Ok') throw smsFaultOf(code, answer?.Error?.Message ?? status?.Message ?? '')
    return { ref: defined(status?.SerialNo) }
  },
})
