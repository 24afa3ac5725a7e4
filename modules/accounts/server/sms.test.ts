import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import type { App } from '#kit/server/app.ts'
import { openSms, type Sms } from './sms.ts'
import { deliveredSms, openSmsSimulator } from './sms-simulator.ts'
import { openTencentSms } from './sms-tencent.ts'

interface Gateway {
  readonly sms: Sms
  readonly asked: URLSearchParams[]
  close(): void
}

/** A gateway that gives every message the same answer. */
async function openGateway(answer: string): Promise<Gateway> {
  const asked: URLSearchParams[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      asked.push(new URLSearchParams(body))
      response.end(answer)
    })
  })
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const sms = openSms(
    {
      endpoint: `http://127.0.0.1:${port}/`,
      keyId: 'key',
      keySecret: 'secret',
      signName: '安居',
      // As `SMS_TEMPLATE_WORK_ORDER_PAY` and `SMS_TEMPLATE_CODE` are read.
      templates: { work_order_pay: 'SMS_1001', code: 'SMS_1002' },
    },
    Date.now,
  )
  return { sms, asked, close: () => void server.close() }
}

it('a message goes out by the template of the gateway that is set for it', async () => {
  const { sms, asked, close } = await openGateway(JSON.stringify({ Code: 'OK', Message: 'OK' }))
  await sms.send('13800000001', 'workOrderPay', { orderNo: 'GD1' })
  await sms.send('13800000001', 'code', { code: '1234' })
  await sms.send('13800000001', 'workOrderWarning', { count: '2' })
  close()
  expect(asked.map(params => params.get('TemplateCode'))).toEqual([
    'SMS_1001',
    'SMS_1002',
    'workOrderWarning',
  ])
})

it.each([
  ['isv.MOBILE_NUMBER_ILLEGAL', 'address', '手机号不正确'],
  ['isv.BUSINESS_LIMIT_CONTROL', 'later', '发送次数超过短信服务商的限制，请稍后再发'],
  ['isv.AMOUNT_NOT_ENOUGH', 'server', '短信账户余额不足或已停用'],
  ['isv.SMS_SIGNATURE_ILLEGAL', 'server', '短信签名未通过审核或不存在，请核对 SMS_SIGN_NAME'],
  ['isv.SMS_TEMPLATE_ILLEGAL', 'server', '短信模板未通过审核、不存在或变量不符，请核对 SMS_TEMPLATE_…'],
  ['SignatureDoesNotMatch', 'server', '短信服务商不接受系统的密钥，请核对 SMS_KEY_ID 与 SMS_KEY_SECRET'],
  ['isv.SOMETHING_NEW', 'later', '短信服务商拒绝发送（isv.SOMETHING_NEW）'],
])('a refusal %s of the gateway is explained in a message', async (code, kind, message) => {
  const { sms, close } = await openGateway(JSON.stringify({ Code: code, Message: 'not for staff' }))
  await expect(sms.send('13800000001', 'code', { code: '1234' })).rejects.toMatchObject({ kind, message })
  close()
})

it('a gateway that nobody answers at, or that answers nonsense, is explained in a message too', async () => {
  const { sms, close } = await openGateway('<html>')
  const send = (): ReturnType<Sms['send']> => sms.send('13800000001', 'code', { code: '1234' })
  await expect(send()).rejects.toMatchObject({ kind: 'unclear', message: '短信服务商拒绝发送（200）' })
  close()
  await expect(send()).rejects.toMatchObject({
    kind: 'server',
    message: '连接不上短信服务商，或等不到答复',
  })
})

const offlineApp = {
  clock: Date.now,
  log: { info: () => undefined, debug: () => undefined },
} as unknown as App

it.each(['aliyun', 'tencent'] as const)('a message signed for %s is taken, a forged one is not', async provider => {
  const gateway = await openSmsSimulator(offlineApp, provider)
  const open = provider === 'tencent' ? openTencentSms : openSms
  const { ref } = await open(gateway, Date.now).send('13800000001', 'mass_notice', { content: '停水' }, '7-1')
  expect(ref).toMatch(/^\w{20}$/)
  expect(deliveredSms(offlineApp).at(-1)).toMatchObject({ mobile: '13800000001', template: 'mass_notice' })
  const forged = open({ ...gateway, keySecret: 'other' }, Date.now)
  await expect(forged.send('13800000001', 'mass_notice', { content: '停水' })).rejects.toMatchObject({
    kind: 'server',
    message: '短信服务商不接受系统的密钥，请核对 SMS_KEY_ID 与 SMS_KEY_SECRET',
  })
  const sms = open(gateway, Date.now)
  await expect(sms.send('1380', 'mass_notice', {})).rejects.toMatchObject({ kind: 'address' })
  await expect(sms.send('13800000403', 'mass_notice', {})).rejects.toMatchObject({ kind: 'refused' })
  await expect(sms.send('13800000429', 'mass_notice', {})).rejects.toMatchObject({ kind: 'later' })
})
