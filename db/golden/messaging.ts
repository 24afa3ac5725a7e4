import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addDaysToMoment, addMinutes, type Moment } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes } from '#kit/server/sql.ts'
import { insert, update } from '#kit/server/table.ts'
import {
  messageChannel,
  messagePurpose,
  messageState,
  quotaState,
  receiverKind,
  type MessagePurpose,
} from '#modules/messaging/contract/choices.ts'
import { smsChange, smsBlockKind, smsBlockOrigin } from '#modules/messaging/contract/sms-choices.ts'
import { propertySms } from '#modules/messaging/contract/task.ts'
import { smsTemplate } from '#modules/messaging/contract/template.ts'
import { residencyStatus } from '#modules/residents/contract/labels.ts'

interface SeededSending {
  readonly projectCode: string
  readonly now: Moment
  /** Of each task. */
  readonly people: number
  /** Short messages that the company has bought. */
  readonly bought: number
}

const opening = 500

const templates: readonly { name: string; purpose: MessagePurpose; content: string; code: string }[] = [
  {
    name: '停水停电通知',
    purpose: 'service',
    content: '{name}您好，{project}明日 9:00 至 17:00 检修供水管道，{room}届时停水，请提前储水。',
    code: 'SMS_480001',
  },
  {
    name: '活动邀请',
    purpose: 'marketing',
    content: '{project}周六举办邻里节，欢迎参加。回T退订',
    code: 'SMS_480002',
  },
]

/** Messages to residents: most arrived, every tenth did not. */
const seedMessages = (tx: Tx, scope: Scope, taskId: Id, about: SeededSending, at: Moment, batchId: Id) =>
  tx.one<{ sent: number; failed: number }>(sql`
    with chosen as (
      select distinct on (p.id) p.id, p.name, p.mobile, r.path
      from user_room l
      join room r on r.owner_id = ${scope.ownerId} and r.id = l.room_id
      join resident p on p.owner_id = ${scope.ownerId} and p.id = l.user_id
      where l.owner_id = ${scope.ownerId}
        and l.project_code = ${about.projectCode}
        and l.status = ${code(residencyStatus, 'living')}
        and l.delete_tag = 0
        and p.delete_tag = 0
        and p.mobile ~ '^1[3-9][0-9]{9}$'
      order by p.id
      limit ${about.people}
    ), put as (
      insert into outgoing_message (
        owner_id, batch_id, source, biz_id, channel, purpose, receiver_kind, receiver_id, project_code,
        room_name, receiver_name, address, content, segments, quota, send_time, attempts, sent_time,
        end_time, fail_reason, state, create_time, update_time
      )
      select ${scope.ownerId}::bigint, ${batchId}::integer, 'messaging.mass', ${taskId}::integer,
        ${code(messageChannel, 'sms')}, ${code(messagePurpose, 'service')}, ${code(receiverKind, 'resident')},
        c.id, ${about.projectCode}::text, c.path, c.name, c.mobile,
        c.name || '您好，明日 9:00 至 17:00 检修供水管道，届时停水，请提前储水。', 1,
        case when c.id % 10 = 0 then ${code(quotaState, 'returned')} else ${code(quotaState, 'used')} end,
        ${at}::timestamptz, 1, ${at}::timestamptz, ${addMinutes(at, 1)}::timestamptz,
        case when c.id % 10 = 0 then '空号' end,
        case when c.id % 10 = 0 then ${code(messageState, 'failed')} else ${code(messageState, 'delivered')} end,
        ${at}::timestamptz, ${addMinutes(at, 1)}::timestamptz
      from chosen c
      returning state
    )
    select count(*) filter (where state in ${codes(messageState, 'delivered')})::integer as sent,
      count(*) filter (where state in ${codes(messageState, 'failed')})::integer as failed
    from put
  `)

interface LedgerLine {
  readonly type: keyof typeof smsChange.rows
  readonly qty: number
  readonly usable: number
  readonly frozen: number
  readonly task?: Id
  readonly at: Moment
}

const seedLedger = (tx: Tx, scope: Scope, lines: readonly LedgerLine[]) =>
  tx.execute(sql`
    insert into sms_ledger (
      owner_id, change_type, qty, usable_qty, frozen_qty, source, biz_id, operator_name, create_time, update_time
    )
    select ${scope.ownerId}::bigint, l.type, l.qty, l.usable, l.frozen,
      case when l.task is not null then 'messaging.mass' end, l.task, ${scope.name}::text, l.at, l.at
    from json_to_recordset(${JSON.stringify(
      lines.map(line => ({ ...line, type: smsChange.rows[line.type][0] })),
    )}::json) as l(type smallint, qty integer, usable integer, frozen integer, task integer, at timestamptz)
    returning id
  `)

const seedBatch = async (tx: Tx, scope: Scope, taskId: Id, title: string, at: Moment): Promise<Id> => {
  const batch = await tx.one<{ id: Id }>(sql`
    insert into message_batch (owner_id, source, biz_id, channel, purpose, title, create_time)
    values (
      ${scope.ownerId}, 'messaging.mass', ${taskId}, ${code(messageChannel, 'sms')},
      ${code(messagePurpose, 'service')}, ${title}, ${at}::timestamptz
    )
    returning id
  `)
  return defined(batch).id
}

/** A task that is over, its messages, and what it did to the quota. Returns how much was used. */
async function seedTask(
  tx: Tx,
  scope: Scope,
  about: SeededSending,
  task: { readonly name: string; readonly daysAgo: number; readonly usable: number },
): Promise<number> {
  const at = addDaysToMoment(about.now, -task.daysAgo)
  const stored = await insert(tx, propertySms, scope, {
    taskName: task.name,
    channel: 'sms',
    purpose: 'service',
    content: '{name}您好，明日 9:00 至 17:00 检修供水管道，届时停水，请提前储水。',
    scopeType: 'projects',
    scopeJson: { projectCodes: [about.projectCode] },
    numberCount: 0,
    segmentPerMsg: 1,
    totalSegments: 0,
    excludedCount: 0,
    successCount: 0,
    failCount: 0,
    unclearCount: 0,
    refuseCount: 0,
    sendTime: at,
    endTime: addMinutes(at, 2),
    operatorName: scope.name,
    state: 'waiting',
  })
  const batchId = await seedBatch(tx, scope, stored.id, task.name, at)
  const counts = await seedMessages(tx, scope, stored.id, about, at, batchId)
  const { sent, failed } = defined(counts)
  await update(tx, propertySms, scope, stored.id, {
    numberCount: sent + failed,
    totalSegments: sent + failed,
    successCount: sent,
    failCount: failed,
    state: failed ? 'partial' : 'done',
  })
  const reserved = task.usable - sent - failed
  await seedLedger(tx, scope, [
    { type: 'reserved', qty: -(sent + failed), usable: reserved, frozen: sent + failed, task: stored.id, at },
    { type: 'used', qty: -sent, usable: reserved, frozen: failed, task: stored.id, at: addMinutes(at, 1) },
    ...(failed
      ? [
          {
            type: 'returned' as const,
            qty: failed,
            usable: reserved + failed,
            frozen: 0,
            task: stored.id,
            at: addMinutes(at, 1),
          },
        ]
      : []),
  ])
  return sent
}

/** Short messages of a company: its quota, templates, tasks that are over, numbers that opted out. */
export async function seedMessaging(tx: Tx, scope: Scope, about: SeededSending): Promise<void> {
  const started = addDaysToMoment(about.now, -45)
  const total = opening + about.bought
  for (const { name, purpose, content, code: providerCode } of templates) {
    await insert(tx, smsTemplate, scope, {
      templateName: name,
      purpose,
      content,
      providerCode,
      state: 'approved',
    })
  }
  await seedLedger(tx, scope, [
    { type: 'opening', qty: opening, usable: opening, frozen: 0, at: started },
    ...(about.bought
      ? [{ type: 'bought' as const, qty: about.bought, usable: total, frozen: 0, at: started }]
      : []),
  ])
  let used = 0
  for (const [name, daysAgo] of [
    ['供水检修通知', 20],
    ['消防演练通知', 3],
  ] as const) {
    used += await seedTask(tx, scope, about, { name, daysAgo, usable: total - used })
  }
  await tx.execute(sql`
    insert into sms_account (owner_id, total_count, used_count)
    values (${scope.ownerId}, ${total}, ${used})
  `)
  await tx.execute(sql`
    insert into sms_block (owner_id, mobile, kind, origin, reason)
    values (
      ${scope.ownerId}, '13900000086', ${code(smsBlockKind, 'optOut')}, ${code(smsBlockOrigin, 'reply')},
      '短信回复退订'
    )
  `)
}
