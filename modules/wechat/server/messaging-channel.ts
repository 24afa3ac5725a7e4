import type { ChoiceOf } from '#kit/contract/field.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql } from '#kit/server/db.ts'
import {
  ChannelFault,
  findReceiver,
  registerChannel,
  sendWechat,
  wechatFaultKind,
  type ChannelMessage,
} from '#modules/messaging/server/public.ts'
import type { messageEvent } from '../contract/choices.ts'
import { templateRefOf } from './job-events.ts'
import { PlatformAway, PlatformFault } from './platform/platform-fault.ts'
import { findEventTemplate, sendByTemplate } from './template-sending.ts'

/** Which event a source of messages is about. */
const eventBySource: Readonly<Record<string, ChoiceOf<typeof messageEvent>>> = {
  'notices.notice': 'notice',
  'notices.reminder': 'notice',
  'notices.direct': 'userNotice',
  activity: 'activity',
  'bills.notice': 'fee',
  'workOrders.payment': 'workOrder',
  'workOrders.warning': 'workOrder',
}

function faultOf(error: unknown): unknown {
  if (error instanceof PlatformFault)
    return new ChannelFault(wechatFaultKind(error.errcode), error.message, error)
  // No answer came: the message may have gone out.
  return error instanceof PlatformAway ? new ChannelFault('unclear', error.message, error) : error
}

/**
 * By the account of the company that the person follows, with its template for the event; else by the account
 * of the installation.
 */
async function send(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const { ownerId, address: openId, source, title, content, link, params = {} } = message
  const event = eventBySource[source] ?? 'other'
  const found = await findEventTemplate(app, { ownerId, openId, event })
  if (!found) return sendWechat(app, message)
  const time = fromInstant(app.clock()).slice(0, 16)
  const values = {
    ...(await findReceiver(app.database.reader(ownerId), message)),
    title,
    content,
    time,
    ...params,
  }
  try {
    const { msgid } = await sendByTemplate(app, found, { openId, values, url: link })
    return { ref: msgid === undefined ? undefined : templateRefOf(found.account, msgid) }
  } catch (error) {
    throw faultOf(error)
  }
}

registerChannel('wechat', { addressSql: () => sql`a.open_id`, send })
