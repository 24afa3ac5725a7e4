import { keyOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { MailFault, mailerOf } from '#kit/server/mail.ts'
import { smsOf, WechatFault, wechatOf } from '#modules/accounts/server/public.ts'
import { reminderChannel } from '../contract/choices.ts'
import { type FeeNotice } from '../contract/notice.ts'
import { type DemandLetter } from './demand-letter-pdf.ts'
import { renderLetter } from './demand-letters.ts'

const refusedPattern = /REJECT|BLACK|UNSUBSCRIBE/i
const invalidNumberPattern = /MOBILE_NUMBER_ILLEGAL|NUMBER_ILLEGAL/i
export type SendOutcome = Pick<FeeNotice, 'state'> & { readonly failReason?: string }

/** 40003: no such user; 43004 and 43101: the user has unfollowed the account, or refuses messages. */
const wechatOutcomes: Readonly<Record<number, SendOutcome>> = {
  40003: { state: 'noContact', failReason: '微信绑定已失效，请住户重新绑定' },
  43004: { state: 'refused', failReason: '用户已取消关注公众号' },
  43101: { state: 'refused', failReason: '用户拒收消息' },
}

export interface OutgoingNotice extends Pick<
  FeeNotice,
  'payerMobile' | 'content' | 'sourceName' | 'billCount' | 'totalAmount'
> {
  readonly channel: number
  readonly openId?: string
  readonly email?: string
  /** Goes with an e-mail. */
  readonly letter?: DemandLetter | undefined
}

async function sendWechat(app: App, notice: OutgoingNotice): Promise<SendOutcome> {
  if (!notice.openId) return { state: 'noContact', failReason: '住户未绑定微信，或已解除绑定' }
  try {
    await (
      await wechatOf(app)
    ).sendTemplate(notice.openId, 'fee_demand', {
      first: '缴费提醒',
      keyword1: notice.sourceName,
      keyword2: `${displayYuan(notice.totalAmount)} 元`,
      keyword3: `${notice.billCount} 笔`,
      remark: notice.content,
    })
    return { state: 'sent' }
  } catch (e) {
    const known = e instanceof WechatFault ? wechatOutcomes[e.errcode] : undefined
    return known ?? { state: 'failed', failReason: toError(e).message.slice(0, 100) }
  }
}

async function sendMail(app: App, notice: OutgoingNotice): Promise<SendOutcome> {
  const { email, letter } = notice
  if (!email) return { state: 'noContact', failReason: '住户未登记邮箱' }
  try {
    await mailerOf(app).send({
      to: email,
      subject: `缴费提醒：${notice.sourceName}`,
      text: notice.content,
      attachments: letter ? [{ filename: `${letter.title}.pdf`, content: await renderLetter(letter) }] : [],
    })
    return { state: 'sent' }
  } catch (e) {
    const state = e instanceof MailFault && e.kind === 'address' ? 'noContact' : 'failed'
    return { state, failReason: toError(e).message.slice(0, 100) }
  }
}

/** Sends a notice over its channel, once. */
export async function sendNotice(app: App, notice: OutgoingNotice): Promise<SendOutcome> {
  const channel = keyOf(reminderChannel, notice.channel)
  if (channel === 'wechat') return sendWechat(app, notice)
  if (channel === 'email') return sendMail(app, notice)
  try {
    await (await smsOf(app)).send(notice.payerMobile ?? '', 'fee_demand', { content: notice.content })
    return { state: 'sent' }
  } catch (e) {
    const message = toError(e).message.replace(/^SMS gateway: /, '')
    if (invalidNumberPattern.test(message)) return { state: 'noContact', failReason: '手机号不正确' }
    if (refusedPattern.test(message)) return { state: 'refused', failReason: '用户已退订或拒收' }
    return { state: 'failed', failReason: message.slice(0, 100) }
  }
}
