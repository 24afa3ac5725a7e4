import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { openSms } from './sms.ts'

it('a message goes out by the template of the gateway that is set for it', async () => {
  const asked: URLSearchParams[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      asked.push(new URLSearchParams(body))
      response.end(JSON.stringify({ Code: 'OK', Message: 'OK' }))
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
  await sms.send('13800000001', 'workOrderPay', { orderNo: 'GD1' })
  await sms.send('13800000001', 'code', { code: '1234' })
  await sms.send('13800000001', 'workOrderWarning', { count: '2' })
  server.close()
  expect(asked.map(params => params.get('TemplateCode'))).toEqual([
    'SMS_1001',
    'SMS_1002',
    'workOrderWarning',
  ])
})
