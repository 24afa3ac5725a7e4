import { refuse } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { messageChannel, messageState } from '../contract/choices.ts'
import { messageFigures } from './queue.ts'
import type { Receiver } from './reach.ts'
import { massSource } from './task-figures.ts'

type MissedReceiver = Receiver & { readonly isResent: boolean }

/** Those of a task whom no message reached, and whether a resend that was not stopped has them. */
const findMissed = (tx: Tx, { ownerId }: Scope, taskId: Id): Promise<MissedReceiver[]> =>
  tx.rows<MissedReceiver>(sql`
    select case m.receiver_kind when 10 then 'resident' when 20 then 'staff' else 'number' end as kind,
      m.receiver_id as id, m.project_code, m.room_name as room, m.receiver_name as name,
      case when m.channel = ${code(messageChannel, 'sms')} then m.address end as mobile,
      case when m.channel = ${code(messageChannel, 'email')} then m.address end as email,
      case when m.channel = ${code(messageChannel, 'wechat')} then m.address end as open_id,
      m.run_variables as variables,
      exists (
        select 1
        from property_sms t
        join outgoing_message r on r.source = ${massSource.key} and r.biz_id = t.id
        where t.owner_id = ${ownerId}
          and r.owner_id = ${ownerId}
          and t.resend_of = ${taskId}
          and t.delete_tag = 0
          and r.address = m.address
          and r.state <> ${code(messageState, 'cancelled')}
      ) as is_resent
    from outgoing_message m
    where m.owner_id = ${ownerId}
      and m.source = ${massSource.key}
      and m.biz_id = ${taskId}
      and m.state = ${code(messageState, 'failed')}
    order by m.id
  `)

/** Those of a task whom a new message may still reach. */
export async function requireMissed(tx: Tx, scope: Scope, taskId: Id): Promise<Receiver[]> {
  const missed = await findMissed(tx, scope, taskId)
  const waiting = missed.filter(({ isResent }) => !isResent).map(({ isResent: _, ...receiver }) => receiver)
  if (waiting.length) return waiting
  if (missed.length) return refuse('失败的号码都已重发过，请在重发的任务上操作')
  const [figures] = await messageFigures(tx, scope, massSource.key, [taskId])
  return figures?.unclear
    ? refuse(`有 ${figures.unclear} 个号码结果未知，请先在发送记录中核对结果，失败的才能重发`)
    : refuse('任务无发送失败的号码，不需要重发')
}
