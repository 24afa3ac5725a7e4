import { keyOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { displayYuan } from '#kit/domain/money.ts'
import type { App } from '#kit/server/app.ts'
import { defineMessageSource, sendNow, type DirectOutcome } from '#modules/messaging/server/public.ts'
import { reminderChannel } from '../contract/choices.ts'
import { type FeeNotice } from '../contract/notice.ts'
import { type DemandLetter } from './demand-letter-pdf.ts'
import { renderLetter } from './demand-letters.ts'
import { followOutcomes, noticeSourceKey } from './notice-reports.ts'

export type SendOutcome = Pick<FeeNotice, 'state'> & { readonly failReason?: string }

/** Demand notices: short messages cost the company's quota (SMS-2). */
const source = defineMessageSource({
  key: noticeSourceKey,
  label: '催缴通知',
  purpose: 'service',
  onOutcomes: followOutcomes,
})

const template = 'fee_demand'

export interface OutgoingNotice extends Pick<
  FeeNotice,
  'projectCode' | 'payerMobile' | 'content' | 'sourceName' | 'billCount' | 'totalAmount'
> {
  readonly id: Id
  readonly channel: number
  /** The resident who is asked; companies are known by their number alone. */
  readonly residentId?: Id | undefined
  readonly openId?: string
  readonly email?: string
  /** Goes with an e-mail. */
  readonly letter?: DemandLetter | undefined
}

const withReason = (state: SendOutcome['state'], reason: string | undefined): SendOutcome => ({
  state,
  ...(reason === undefined ? {} : { failReason: reason.slice(0, 100) }),
})

function toOutcome({ state, reason, kind }: DirectOutcome): SendOutcome {
  if (state === 'sent') return { state: 'sent' }
  if (state === 'refused') return withReason('refused', reason)
  return withReason(kind === 'address' ? 'noContact' : 'failed', reason)
}

const commonOf = (notice: OutgoingNotice) => ({
  source: source.key,
  bizId: notice.id,
  projectCode: notice.projectCode,
  room: notice.sourceName,
  receiver: {
    kind: notice.residentId === undefined ? ('number' as const) : ('resident' as const),
    id: notice.residentId ?? 0,
  },
  text: notice.content,
  title: `缴费提醒：${notice.sourceName}`,
})

async function sendWechat(app: App, ownerId: Id, notice: OutgoingNotice): Promise<SendOutcome> {
  if (!notice.openId) return { state: 'noContact', failReason: '住户未绑定微信，或已解除绑定' }
  return toOutcome(
    await sendNow(app, ownerId, {
      ...commonOf(notice),
      channel: 'wechat',
      address: notice.openId,
      template,
      params: {
        first: '缴费提醒',
        keyword1: notice.sourceName,
        keyword2: `${displayYuan(notice.totalAmount)} 元`,
        keyword3: `${notice.billCount} 笔`,
        remark: notice.content,
      },
    }),
  )
}

async function sendMail(app: App, ownerId: Id, notice: OutgoingNotice): Promise<SendOutcome> {
  const { email, letter } = notice
  if (!email) return { state: 'noContact', failReason: '住户未登记邮箱' }
  const attachments = letter ? [{ filename: `${letter.title}.pdf`, content: await renderLetter(letter) }] : []
  return toOutcome(
    await sendNow(app, ownerId, { ...commonOf(notice), channel: 'email', address: email, attachments }),
  )
}

/** Sends a notice over its channel, once. */
export async function sendNotice(app: App, ownerId: Id, notice: OutgoingNotice): Promise<SendOutcome> {
  const channel = keyOf(reminderChannel, notice.channel)
  if (channel === 'wechat') return sendWechat(app, ownerId, notice)
  if (channel === 'email') return sendMail(app, ownerId, notice)
  return toOutcome(
    await sendNow(app, ownerId, {
      ...commonOf(notice),
      channel: 'sms',
      address: notice.payerMobile ?? '',
      template,
      params: { content: notice.content },
    }),
  )
}
