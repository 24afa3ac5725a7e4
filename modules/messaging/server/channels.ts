import { Refused } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from '#kit/server/app.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { MailFault, mailerOf, type Mail } from '#kit/server/mail.ts'
import { SmsFault, smsOf, WechatFault, wechatOf } from '#modules/accounts/server/public.ts'
import type { MessageChannel, ReceiverKind } from '../contract/choices.ts'
import { ChannelFault, type ChannelFaultKind } from './channel-fault.ts'

/** A message as a channel gets it. */
export interface ChannelMessage {
  readonly ownerId: Id
  readonly id: Id
  readonly source: string
  readonly projectCode?: string | undefined
  readonly receiverKind: ReceiverKind
  readonly receiverId: Id
  /** The channel's `addressSql` of the receiver. */
  readonly address: string
  readonly title: string
  readonly content: string
  /** The template at the provider, by its number there or by the key that a setting gives it. */
  readonly template?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly link?: string | undefined
  /** Goes with an e-mail that is sent at once. */
  readonly attachments?: Mail['attachments'] | undefined
}

export interface Channel {
  /**
   * The address of a row `a` of `audienceQuery`; null where there is none. It is stored with the message and
   * is what `send` gets.
   */
  readonly addressSql: (ownerId: Id) => RawBuilder<unknown>
  /** Sends once. Returns the provider's number of the message. Throws a `ChannelFault`. */
  readonly send: (app: App, message: ChannelMessage) => Promise<{ readonly ref?: string | undefined }>
  /** Messages a second, over all servers; the setting says otherwise for short messages. */
  readonly perSecond?: () => number
}

/** Unique over all companies: what a provider returns with its report. */
export const outIdOf = ({ ownerId, id }: Pick<ChannelMessage, 'ownerId' | 'id'>): string => `${ownerId}-${id}`

/** Of the account's own template that only has a content. */
export const plainTemplate = 'mass_notice'

async function sendSms(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const { address, template = plainTemplate, params = { content: message.content } } = message
  try {
    return await (await smsOf(app)).send(address, template, params, outIdOf(message))
  } catch (error) {
    throw error instanceof SmsFault ? new ChannelFault(error.kind, error.message, error) : error
  }
}

/** 40003: no such user; 43004 and 43101: the user has unfollowed the account, or refuses messages. */
const wechatKinds: Readonly<Record<number, ChannelFaultKind>> = {
  [-1]: 'later',
  40001: 'server',
  40003: 'address',
  40013: 'server',
  40037: 'rejected',
  40125: 'server',
  40164: 'server',
  43004: 'refused',
  43101: 'refused',
  45009: 'later',
  47003: 'rejected',
  48001: 'server',
}

/** What a refusal of WeChat means for a message; one that is not known: try again later. */
export const wechatFaultKind = (code: number): ChannelFaultKind => wechatKinds[code] ?? 'later'

/** By the official account of this installation. */
export async function sendWechat(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const { address, template = plainTemplate, params } = message
  try {
    const data = params ?? { first: message.title, remark: message.content }
    await (await wechatOf(app)).sendTemplate(address, template, data)
    return {}
  } catch (error) {
    if (error instanceof WechatFault)
      throw new ChannelFault(wechatFaultKind(error.errcode), error.message, error)
    throw error
  }
}

async function sendMail(app: App, message: ChannelMessage): Promise<{ ref?: string | undefined }> {
  const { address: to, title: subject, content, link, attachments = [] } = message
  try {
    await mailerOf(app).send({ to, subject, text: link ? `${content}\n\n${link}` : content, attachments })
    return {}
  } catch (error) {
    if (error instanceof Refused) throw new ChannelFault('rejected', error.message, error)
    if (!(error instanceof MailFault)) throw error
    throw new ChannelFault(error.kind === 'refused' ? 'rejected' : error.kind, error.message, error)
  }
}

const channels = new Map<MessageChannel, Channel>([
  ['sms', { addressSql: () => sql`a.mobile`, send: sendSms }],
  ['wechat', { addressSql: () => sql`a.open_id`, send: sendWechat }],
  ['email', { addressSql: () => sql`a.email`, send: sendMail }],
])

/** Another way over a channel, once, as a module is loaded. */
export const registerChannel = (channel: MessageChannel, way: Channel): void => {
  channels.set(channel, way)
}

export function channelOf(channel: MessageChannel): Channel {
  const way = channels.get(channel)
  if (!way) throw new Error(`no way over the channel ${channel}`)
  return way
}
