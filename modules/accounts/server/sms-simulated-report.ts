import type { App } from '#kit/server/app.ts'
import { smsReportKey } from './sms-report-key.ts'
import type { SmsProvider } from './sms-signature.ts'

export interface ReportedSms {
  readonly provider: SmsProvider
  readonly mobile: string
  readonly ref: string
  readonly outId: string | undefined
}

/** A number that ends so is no longer in use. */
const isDead = (mobile: string): boolean => mobile.endsWith('0404')

/** The report as the provider writes it. */
function reportOf({ provider, mobile, ref, outId }: ReportedSms): object {
  const isDelivered = !isDead(mobile)
  return provider === 'tencent'
    ? {
        nationcode: '86',
        mobile,
        report_status: isDelivered ? 'SUCCESS' : 'FAIL',
        errmsg: isDelivered ? 'DELIVRD' : 'MK:0001',
        description: isDelivered ? '用户短信送达成功' : '空号',
        sid: ref,
      }
    : {
        phone_number: mobile,
        success: isDelivered,
        biz_id: ref,
        ...(outId ? { out_id: outId } : {}),
        err_code: isDelivered ? 'DELIVERED' : 'MK:0001',
        err_msg: isDelivered ? '用户接收成功' : '空号',
        sms_size: '1',
      }
}

async function post(app: App, origin: string, reports: readonly object[]): Promise<void> {
  try {
    await fetch(`${origin}/api/sms/report/${await smsReportKey(app)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(reports),
      signal: AbortSignal.timeout(5000),
    })
  } catch (err) {
    app.log.debug({ err }, 'a simulated report was not taken')
  }
}

const waitingByApp = new WeakMap<App, ReportedSms[]>()
const delayMs = 1000

/** Reports what was sent in the last second in one body, and the same once more a second later. */
export function reportLater(app: App, sms: ReportedSms): void {
  const origin = app.originUrl?.()
  if (!origin) return
  const waiting = waitingByApp.get(app) ?? []
  waiting.push(sms)
  waitingByApp.set(app, waiting)
  if (waiting.length > 1) return
  const report = (): void => {
    waitingByApp.delete(app)
    const reports = waiting.map(reportOf)
    void post(app, origin, reports)
    setTimeout(() => void post(app, origin, reports), delayMs).unref()
  }
  setTimeout(report, delayMs).unref()
}
