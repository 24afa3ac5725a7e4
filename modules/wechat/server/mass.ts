import { invalidField, invalidInput, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { wechatAccount, type WechatAccount } from '../contract/account.ts'
import { massReceiverState } from '../contract/choices.ts'
import {
  cancelMass,
  countMassReceivers,
  getSpecificNumber,
  sendMass,
  wechatMass,
  wechatMasses,
} from '../contract/mass.ts'
import { retryingFault } from '../domain/outage.ts'
import { massBatchSize, massQuotaOf, minMassReceivers } from '../domain/quota.ts'
import { materialFaults } from './replies.ts'
import { massJobKind } from './mass-job.ts'

interface Aim {
  readonly ownerId: Id
  readonly account: WechatAccount
  readonly estateCodes?: readonly string[] | undefined
  readonly today: Day
}

const isAimedAt = ({ ownerId, account, estateCodes = [] }: Aim) => sql`
  f.owner_id = ${ownerId}
  and f.account_id = ${account.id}
  and f.is_following
  and ${notDeleted('f')}
  ${estateCodes.length ? sql`and f.estate_code = any(${[...estateCodes]}::text[])` : sql``}
`

/** Fewer messages in the period than the platform allows; those that failed do not count. */
function isWithinQuota({ ownerId, account, today }: Aim) {
  const { perFollower, from, to } = massQuotaOf(account.mpType, today)
  return sql`
    (
      select count(*)
      from wechat_mass_receiver q
      where q.owner_id = ${ownerId}
        and q.follower_id = f.id
        and q.queue_day between ${from}::date and ${to}::date
        and q.state <> ${code(massReceiverState, 'failed')}
    ) < ${perFollower}
  `
}

async function countReceivers(db: Db, aim: Aim): Promise<{ followers: number; receivers: number }> {
  return defined(
    await db.one<{ followers: number; receivers: number }>(sql`
      select count(*)::int as followers, (count(*) filter (where ${isWithinQuota(aim)}))::int as receivers
      from wechat_follower f
      where ${isAimedAt(aim)}
    `),
  )
}

/** Batches of about the same size: the platform takes none of one receiver. */
const queueReceivers = (tx: Tx, aim: Aim, massId: Id, batches: number): Promise<number> =>
  tx.execute(sql`
    insert into wechat_mass_receiver (owner_id, mass_id, follower_id, batch_no, queue_day, state)
    select ${aim.ownerId}, ${massId}, f.id, ntile(${batches}::int) over (order by f.id), ${aim.today}::date,
      ${code(massReceiverState, 'waiting')}
    from wechat_follower f
    where ${isAimedAt(aim)} and ${isWithinQuota(aim)}
    returning follower_id
  `)

/** Somebody who sees some estates alone sends to followers of those. */
function assertAimed(scope: Scope, estateCodes: readonly string[] | undefined): void {
  if (!scope.domain.all && !estateCodes?.length) throw invalidField('Projectcodes', '请选择来源项目')
}

function assertCanSend(account: WechatAccount): void {
  if (account.mpType === 'mini') refuse('小程序不能群发，请选择服务号或订阅号')
}

type SendInput = NonNullable<typeof sendMass.input.T>

async function contentFaults(input: SendInput, c: WriteContext): Promise<FieldFault[]> {
  const { accountId, messageType, content, materialId } = input
  if (messageType === 'text') return content?.trim() ? [] : [{ Field: 'Content', Message: '请填写内容' }]
  if (!materialId) return [{ Field: 'MaterialID', Message: '请选择素材' }]
  return materialFaults({ accountId, replyType: messageType, materialId }, c)
}

const sendHandler = writes(sendMass, async (input, c) => {
  const { tx, app, scope, today } = c
  const { accountId, title, messageType, content, materialId, estateCodes } = input
  assertAimed(scope, estateCodes)
  // One after the other for an account: the quota of a follower is counted and used up together.
  const account = await requireById(tx, wechatAccount, scope, accountId, { lock: true })
  assertCanSend(account)
  const faults = await contentFaults(input, c)
  if (faults.length) throw invalidInput(faults)
  const aim = { ownerId: scope.ownerId, account, estateCodes, today }
  const { followers, receivers } = await countReceivers(tx, aim)
  if (receivers < minMassReceivers) {
    const { label, perFollower } = massQuotaOf(account.mpType, today)
    refuse(
      followers < minMassReceivers
        ? `关注者不足 ${minMassReceivers} 人，不能群发；单独通知请用模板消息`
        : `可发送的关注者不足 ${minMassReceivers} 人：其余${label}已收到 ${perFollower} 条，请以后再发`,
    )
  }
  const mass = await insert(tx, wechatMass, scope, {
    accountId,
    title,
    messageType,
    content: messageType === 'text' ? content : undefined,
    materialId: messageType === 'text' ? undefined : materialId,
    receiverCount: receivers,
    sentCount: 0,
    failCount: 0,
    reportedCount: 0,
    state: 'waiting',
  })
  await queueReceivers(tx, aim, mass.id, Math.ceil(receivers / massBatchSize))
  await app.jobs.start(tx, scope, massJobKind, `公众号群发「${title}」`, { massId: mass.id })
  return mass
})

const countHandler = reads(countMassReceivers, async ({ accountId, estateCodes }, { db, scope, today }) => {
  assertAimed(scope, estateCodes)
  const account = await requireById(db, wechatAccount, scope, accountId)
  const counted = await countReceivers(db, { ownerId: scope.ownerId, account, estateCodes, today })
  return { ...counted, outOfQuota: counted.followers - counted.receivers }
})

const cancelHandler = writes(cancelMass, async ({ id, reason }, { tx, scope }) => {
  const mass = await requireById(tx, wechatMass, scope, id, { lock: true })
  if (mass.state !== 'waiting' && mass.state !== 'sending') return refuse('群发已经结束，不能取消')
  const cancelled = await tx.execute(sql`
    update wechat_mass_receiver
    set state = ${code(massReceiverState, 'failed')}
    where owner_id = ${scope.ownerId}
      and mass_id = ${id}
      and state = ${code(massReceiverState, 'waiting')}
  `)
  const isRetrying = mass.fault === retryingFault
  if (!cancelled)
    return refuse(isRetrying ? '正在重新提交给微信，请在十秒后取消' : '全部消息已提交给微信，不能取消')
  const fault = isRetrying ? '取消前微信服务器未答复，个别消息可能已发出' : mass.fault
  return update(
    tx,
    wechatMass,
    scope,
    id,
    { state: 'cancelled', failCount: mass.failCount + cancelled, fault },
    { reason },
  )
})

const specificNumberHandler = reads(getSpecificNumber, async ({ id }, { db, scope }) => {
  const mass = await requireById(db, wechatMass, scope, id)
  const { receiverCount, sentCount, failCount, reportedCount } = mass
  const waitingCount = receiverCount - sentCount - failCount
  return { numberCount: receiverCount, sentCount, failCount, reportedCount, waitingCount }
})

export const massServer = joinServers(crudHandlers(wechatMasses, {}), {
  handlers: [sendHandler, countHandler, cancelHandler, specificNumberHandler],
})
