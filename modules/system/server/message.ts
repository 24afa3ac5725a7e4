import { absent, wrong } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { need, page } from '#kit/server/table.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import {
  countMessages,
  deleteMessages,
  getNoticeSetting,
  listMessages,
  noticeGroup,
  notification,
  oneMessage,
  putNoticeSetting,
  readMessages,
  receiverKind,
  type Notification,
} from '../contract/message.ts'
import { kindNamed, noticeKinds } from './notify.ts'

const managers = Number(codeOf(receiverKind, 'manager'))

/** A message is its receiver's; to others it is not there. */
const mine = (scope: Scope, table = 't') => {
  const of = (c: string) => sql.ref(`${table}.${c}`)
  return sql`${of('owner_id')} = ${scope.ownerId}
    and ${of('receiver_kind')} = ${managers}
    and ${of('receiver_id')} = ${scope.operatorId}
    and ${of('delete_tag')} = 0`
}

const named = (m: Notification): Notification => ({ ...m, kindName: kindNamed(m.kind)?.label ?? m.kind })

const numbers = (ids: readonly string[]): number[] =>
  ids.map(Number).filter(n => Number.isSafeInteger(n) && n > 0)

export const messageHandlers = [
  reads(listMessages, async ({ unread, ...q }, { db, scope }) => {
    const found = await page(db, notification, scope, q, {
      filters: listMessages.input.filters!,
      where: [
        mine(scope),
        ...(unread === undefined ? [] : [unread ? sql`t.read_time is null` : sql`t.read_time is not null`]),
      ],
    })
    return { ...found, rows: found.rows.map(named) }
  }),
  reads(oneMessage, async ({ id }, { db, scope }) => {
    const m = await need(db, notification, scope, id)
    if (m.receiverKind !== 'manager' || m.receiverId !== scope.operatorId) throw absent()
    return named(m)
  }),
  reads(countMessages, async (_, { db, scope }) => {
    const rows = await db.rows<{ noticeGroup: number; n: number }>(
      sql`
        select t.notice_group, count(*) as n
        from notification t
        where ${mine(scope)} and t.read_time is null
        group by 1
      `,
    )
    const n = new Map(rows.map(r => [keyOf(noticeGroup, r.noticeGroup)!, Number(r.n)]))
    const of = (k: keyof typeof noticeGroup.rows): number => n.get(k) ?? 0
    return {
      unread: rows.reduce((sum, r) => sum + Number(r.n), 0),
      todo: of('todo'),
      notice: of('notice'),
      system: of('system'),
    }
  }),
  writes(readMessages, async ({ ids, noticeGroup: group, kind, bizId }, { tx, scope, world }) => {
    const n = await tx.run(sql`
      update notification t
      set read_time = ${new Date(world.clock())}, run_ring = null, version = t.version + 1,
        update_time = now(), update_by = ${scope.operatorId}
      where ${mine(scope)}
        and t.read_time is null ${ids?.length ? sql`and t.id = any(${numbers(ids)}::bigint[])` : sql``} ${group ? sql`and t.notice_group = ${codeOf(noticeGroup, group)}` : sql``} ${kind ? sql`and t.kind = ${kind}` : sql``} ${bizId === undefined ? sql`` : sql`and t.biz_id = ${bizId}`}
    `)
    // The person's other windows count anew.
    if (n) {
      world.live.tellIn(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
    }
  }),
  writes(deleteMessages, async ({ ids }, { tx, scope, world }) => {
    const n = await tx.run(
      sql`
        update notification t
        set delete_tag = 1, run_ring = null, version = t.version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        where ${mine(scope)} and t.id = any(${numbers(ids)}::bigint[])
      `,
    )
    if (!n) throw absent()
    world.live.tellIn(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
  }),

  reads(getNoticeSetting, async (_, { db, scope }) => {
    const s = await db.one<{ off: string[]; quietFrom?: string; quietTo?: string }>(
      sql`
        select off, quiet_from, quiet_to
        from notification_setting
        where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId}
      `,
    )
    return {
      kinds: noticeKinds().map(k => ({
        kind: k.key,
        name: k.label,
        noticeGroup: k.group,
        on: k.fixed === true || !s?.off.includes(k.key),
        fixed: k.fixed === true,
      })),
      ...(s?.quietFrom && s.quietTo ? { quietFrom: s.quietFrom, quietTo: s.quietTo } : {}),
    }
  }),
  writes(putNoticeSetting, async ({ quietFrom, quietTo, off = [] }, { tx, scope }) => {
    if ((quietFrom === undefined) !== (quietTo === undefined))
      throw wrong([
        quietFrom === undefined
          ? { Field: 'QuietFrom', Message: '请填写免打扰开始时间，或把两个时间都清空' }
          : { Field: 'QuietTo', Message: '请填写免打扰结束时间，或把两个时间都清空' },
      ])
    if (quietFrom !== undefined && quietFrom === quietTo)
      throw wrong([{ Field: 'QuietTo', Message: '开始和结束相同，没有免打扰时间；不需要时请把两个都清空' }])
    const unknown = off.find(k => !kindNamed(k))
    if (unknown !== undefined) throw wrong([{ Field: 'Off', Message: `没有消息类型「${unknown}」` }])
    const fixed = off.map(kindNamed).find(k => k?.fixed)
    if (fixed) throw wrong([{ Field: 'Off', Message: `「${fixed.label}」是必须接收的消息，不能关闭` }])
    await tx.run(sql`
      insert into notification_setting (owner_id, operator_id, off, quiet_from, quiet_to)
      values (
        ${scope.ownerId}, ${scope.operatorId}, ${[...new Set(off)]}::text[], ${quietFrom ?? null},
        ${quietTo ?? null}
      )
      on conflict (owner_id, operator_id) do update set off = excluded.off,
        quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, update_time = now()
    `)
  }),
]
