import type { App } from '#kit/server/app.ts'
import type { Tx } from '#kit/server/db.ts'
import { clockScope } from '#kit/server/scope.ts'
import { receiveReports } from '#modules/messaging/server/public.ts'
import { readMassReport, readTemplateReport } from '../domain/job-report.ts'
import { saveMassReport } from './mass-report.ts'
import type { StoredAccount } from './platform/account-store.ts'
import type { XmlFields } from './platform/xml.ts'

/** Events about what the platform was given to send; nobody follows or leaves by them. */
const eventOf = ({ MsgType, Event = '' }: XmlFields): string =>
  MsgType === 'event' ? Event.toUpperCase() : ''

export const isJobEvent = (message: XmlFields): boolean =>
  ['MASSSENDJOBFINISH', 'TEMPLATESENDJOBFINISH'].includes(eventOf(message))

/** The number of a template message as it is stored: unique over all accounts. */
export const templateRefOf = ({ appId }: Pick<StoredAccount, 'appId'>, messageId: number | string): string =>
  `${appId}:${messageId}`

export async function noteMassJob(
  tx: Tx,
  app: App,
  { ownerId, id }: StoredAccount,
  message: XmlFields,
): Promise<void> {
  const report = eventOf(message) === 'MASSSENDJOBFINISH' ? readMassReport(message) : undefined
  if (report) {
    await saveMassReport(tx, clockScope(app, ownerId), id, report)
  }
}

const reasons = { refused: '用户拒收消息', failed: '微信系统故障，未送达' } as const

/** The messages are those of the dispatcher, which books each once. */
export async function noteTemplateJob(app: App, account: StoredAccount, message: XmlFields): Promise<void> {
  const report = eventOf(message) === 'TEMPLATESENDJOBFINISH' ? readTemplateReport(message) : undefined
  if (!report) return
  const { outcome, messageId } = report
  await receiveReports(app, [
    {
      isDelivered: outcome === 'delivered',
      isRefused: outcome === 'refused',
      address: message.FromUserName ?? '',
      outId: undefined,
      ref: templateRefOf(account, messageId),
      reason: outcome === 'delivered' ? undefined : reasons[outcome],
    },
  ])
}
