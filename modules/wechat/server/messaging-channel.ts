import type { ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  ChannelFault,
  findReceiver,
  registerChannel,
  sendWechat,
  wechatFaultKind,
  type ChannelMessage,
} from '#modules/messaging/server/public.ts'
import type { messageEvent } from '../contract/choices.ts'
import { findFollower } from './followers.ts'
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

/** An OpenID of a company's account is nobody's at the installation's, so it never goes there. */
async function sendWithoutTemplate(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const follower = await findFollower(app.database.reader(message.ownerId), message.ownerId, message.address)
  if (!follower) return sendWechat(app, message)
  throw follower.isFollowing
    ? new ChannelFault('rejected', '公众号未启用该类消息的模板，请先在公众号的「模板消息」中启用')
    : new ChannelFault('refused', '该住户已取消关注公众号')
}

/** Somebody who has left the company's account is not reached by WeChat. */
const addressSql = (ownerId: Id): RawBuilder<unknown> => sql`
  case when exists (
    select
    from wechat_follower f
    where f.owner_id = ${ownerId} and f.open_id = a.open_id and not f.is_following and ${notDeleted('f')}
  ) then null else a.open_id end
`

/**
 * By the account of the company that the person follows, with its template for the event; else by the account
 * of the installation.
 */
async function send(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const { ownerId, address: openId, source, title, content, link, params = {} } = message
  const event = eventBySource[source] ?? 'other'
  const found = await findEventTemplate(app, { ownerId, openId, event })
  if (!found) return sendWithoutTemplate(app, message)
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

registerChannel('wechat', { addressSql, send })
