import { createHash, timingSafeEqual } from 'node:crypto'
import type { App } from '#kit/server/app.ts'
import type { RawEndpoint, RawRequest, RawResponse } from '#kit/server/raw-endpoint.ts'
import { smsReportKey } from '#modules/accounts/server/public.ts'
import { readReplies, readReports } from '../domain/report.ts'
import { optOut } from './opt-out.ts'
import { receiveReports } from './receive-reports.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const accepted: RawResponse = {
  type: 'application/json',
  // The one is what Alibaba Cloud wants to read, the other what Tencent Cloud does.
  body: JSON.stringify({ code: 0, msg: '接收成功', result: 0, errmsg: 'OK' }),
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const receiver = (
  route: RawEndpoint['route'],
  work: (app: App, body: unknown) => Promise<void>,
): RawEndpoint => ({
  route,
  maxBodyBytes: 1_048_576,
  isFrequent: true,
  run: async ({ params, body }: RawRequest, app) => {
    if (!timingSafeEqual(digest(params.key ?? ''), digest(await smsReportKey(app)))) return { status: 404 }
    await work(app, parse(body))
    return accepted
  },
})

export const reportEndpoints: readonly RawEndpoint[] = [
  receiver('POST /api/sms/report/:key', (app, body) => receiveReports(app, readReports(body))),
  receiver('POST /api/sms/reply/:key', (app, body) => optOut(app, readReplies(body))),
]
