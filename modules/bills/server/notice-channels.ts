import { keyOf } from '#kit/contract/field.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { toError } from '#kit/domain/to-error.ts'
import type { App } from '#kit/server/app.ts'
import { MailFault, mailerOf } from '#kit/server/mail.ts'
import { SmsFault, smsOf, WechatFault, wechatOf } from '#modules/accounts/server/public.ts'
import { reminderChannel } from '../contract/choices.ts'
import { type FeeNotice } from '../contract/notice.ts'
import { type DemandLetter } from './demand-letter-pdf.ts'
import { renderLetter } from './demand-letters.ts'

export type SendOutcome = Pick<FeeNotice, 'state'> & { readonly failReason?: string }

type OutcomeState = SendOutcome['state']

/** 40003: no such user; 43004 and 43101: the user has unfollowed the account, or refuses messages. */
const wechatStates: Readonly<Record<number, OutcomeState>> = {
  40003: 'noContact',
  43004: 'refused',
  43101: 'refused',
}

const smsStates: Readonly<Partial<Record<SmsFault['kind'], OutcomeState>>> = {
  address: 'noContact',
  refused: 'refused',
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

const failedOutcome = (error: unknown, state: OutcomeState = 'failed'): SendOutcome => ({
  state,
  failReason: toError(error).message.slice(0, 100),
})

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
    return failedOutcome(e, e instanceof WechatFault ? wechatStates[e.errcode] : undefined)
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
    return failedOutcome(e, e instanceof MailFault && e.kind === 'address' ? 'noContact' : undefined)
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
    return failedOutcome(e, e instanceof SmsFault ? smsStates[e.kind] : undefined)
  }
}
