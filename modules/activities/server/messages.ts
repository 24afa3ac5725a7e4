import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { defineMessageSource, findUsable, queueMessages } from '#modules/messaging/server/public.ts'
import { paths } from '../module.ts'
import { activity, type Activity } from '../contract/activity.ts'
import { displayYuan } from '#kit/domain/money.ts'
import { feeOf, hasFee } from '../domain/fee.ts'
import type { ActivityContext } from './context.ts'
import type { MoveUpPlan } from '../domain/move-up.ts'

const source = defineMessageSource({ key: 'activity', label: '社区活动', purpose: 'service' })

/** What one message of so many characters costs at most, names and signature included (SMS-1). */
const maxSegments = 4

/** Of residents, those whom WeChat reaches, and the others. */
async function splitByChannel({ tx, scope }: ActivityContext, userIds: readonly Id[]) {
  const bound = await tx.rows<{ id: Id }>(sql`
    select id
    from resident
    where owner_id = ${scope.ownerId} and id = any(${[...userIds]}::bigint[]) and wechat_bind
  `)
  const byWechat = new Set(bound.map(({ id }) => id))
  return { wechat: [...byWechat], sms: userIds.filter(id => !byWechat.has(id)) }
}

/**
 * Notifies residents: by WeChat who is bound, else by SMS. Their places do not wait for money:
 * where the quota is not enough, it is written down that they are to be called.
 */
async function notifyResidents(
  c: ActivityContext,
  of: Activity,
  userIds: readonly Id[],
  text: string,
): Promise<void> {
  if (!userIds.length) return
  const { scope } = c
  const split = await splitByChannel(c, [...new Set(userIds)])
  const common = {
    source: source.key,
    bizId: of.id,
    message: { title: '活动通知', text },
    link: `${paths.homeActivity}?id=${of.id}`,
    expiresAt: of.endTime,
  }
  const receivers = (ids: readonly Id[]) =>
    ids.map(id => ({ kind: 'resident', id, projectCode: of.projectCode }) as const)
  if (split.wechat.length) {
    await queueMessages(c, { ...common, channel: 'wechat', to: receivers(split.wechat) })
  }
  if (!split.sms.length) return
  if ((await findUsable(c.tx, scope.ownerId)) >= split.sms.length * maxSegments) {
    await queueMessages(c, { ...common, channel: 'sms', to: receivers(split.sms) })
    return
  }
  await audit(c.tx, scope, [
    {
      action: 'state',
      entity: activity.name,
      entityId: of.id,
      projectCode: of.projectCode,
      reason: `短信余量不足，${split.sms.length} 人未通知，请电话告知：${text}`,
    },
  ])
}

const placeOf = ({ beginTime, address }: Activity): string => `${beginTime.slice(5, 16)} ${address}`

const feePart = (of: Activity, persons: number): string =>
  hasFee(of) ? `费用 ${displayYuan(feeOf(of, persons))} 元（${persons} 人），请在「我的账单」缴纳。` : ''

/** Those who waited and have a place now, with what so many persons pay: a text for each number of them. */
export async function notifyMovedUp(
  c: ActivityContext,
  of: Activity,
  moved: MoveUpPlan['moved'],
): Promise<void> {
  const groups = Map.groupBy(moved, ({ personCount }) => (hasFee(of) ? personCount : 1))
  for (const [persons, signs] of groups) {
    await notifyResidents(
      c,
      of,
      signs.map(({ userId }) => userId),
      `您候补的活动「${of.title}」已递补成功，${placeOf(of)}。${feePart(of, persons)}不能参加请及时取消。`,
    )
  }
}

interface Cancelled {
  readonly reason: string
  /** Money goes back. */
  readonly isPaid: boolean
}

const reasonPart = ({ reason, isPaid }: Cancelled): string =>
  `${reason}。${isPaid ? '已缴的费用由物业退回。' : ''}`

export const notifyCancelled = (
  c: ActivityContext,
  of: Activity,
  userIds: readonly Id[],
  cancelled: Cancelled,
): Promise<void> =>
  notifyResidents(c, of, userIds, `活动「${of.title}」（${placeOf(of)}）已取消：${reasonPart(cancelled)}`)

export const notifySignCancelled = (
  c: ActivityContext,
  of: Activity,
  userIds: readonly Id[],
  cancelled: Cancelled,
): Promise<void> =>
  notifyResidents(c, of, userIds, `您报名的活动「${of.title}」已由物业取消报名：${reasonPart(cancelled)}`)
