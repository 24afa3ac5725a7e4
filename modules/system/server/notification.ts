import { notFound, invalidInput } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import { touch } from '#kit/server/sql.ts'
import { codeOf, keyOf } from '#kit/contract/field.ts'
import {
  countUnreadNotifications,
  deleteNotifications,
  getNotificationSetting,
  listNotifications,
  notificationGroup,
  notification,
  getNotification,
  saveNotificationSetting,
  markNotificationsRead,
  receiverKind,
  type Notification,
} from '../contract/notification.ts'
import { findNotificationKind, listNotificationKinds } from './notify.ts'

const managerReceiverCode = Number(codeOf(receiverKind, 'manager'))

/** A message is its receiver's; to others it is not there. */
const ownNotificationsFilter = (scope: Scope, table = 't') => {
  const of = (c: string) => sql.ref(`${table}.${c}`)
  return sql`${of('owner_id')} = ${scope.ownerId}
    and ${of('receiver_kind')} = ${managerReceiverCode}
    and ${of('receiver_id')} = ${scope.operatorId}
    and ${of('delete_tag')} = 0`
}

const withKindName = (m: Notification): Notification => ({
  ...m,
  kindName: findNotificationKind(m.kind)?.label ?? m.kind,
})

const parseIds = (ids: readonly string[]): number[] =>
  ids.map(Number).filter(n => Number.isSafeInteger(n) && n > 0)

export const notificationHandlers = [
  reads(listNotifications, async ({ unread, ...q }, { db, scope }) => {
    const found = await findPage(db, notification, scope, q, {
      filters: listNotifications.input.filters!,
      where: [
        ownNotificationsFilter(scope),
        ...(unread === undefined ? [] : [unread ? sql`t.read_time is null` : sql`t.read_time is not null`]),
      ],
    })
    return { ...found, rows: found.rows.map(withKindName) }
  }),
  reads(getNotification, async ({ id }, { db, scope }) => {
    const m = await requireById(db, notification, scope, id)
    if (m.receiverKind !== 'manager' || m.receiverId !== scope.operatorId) throw notFound()
    return withKindName(m)
  }),
  reads(countUnreadNotifications, async (_, { db, scope }) => {
    const rows = await db.rows<{ noticeGroup: number; n: number }>(
      sql`
        select t.notice_group, count(*) as n
        from notification t
        where ${ownNotificationsFilter(scope)} and t.read_time is null
        group by 1
      `,
    )
    const n = new Map(rows.map(r => [keyOf(notificationGroup, r.noticeGroup)!, Number(r.n)]))
    const of = (k: keyof typeof notificationGroup.rows): number => n.get(k) ?? 0
    return {
      unread: rows.reduce((sum, r) => sum + Number(r.n), 0),
      todo: of('todo'),
      notice: of('notice'),
      system: of('system'),
    }
  }),
  writes(markNotificationsRead, async ({ ids, noticeGroup: group, kind, bizId }, { tx, scope, app }) => {
    const n = await tx.execute(sql`
      update notification t
      set read_time = ${new Date(app.clock())}, run_ring = null, ${touch(scope, 't')}
      where ${ownNotificationsFilter(scope)}
        and t.read_time is null ${ids?.length ? sql`and t.id = any(${parseIds(ids)}::bigint[])` : sql``} ${group ? sql`and t.notice_group = ${codeOf(notificationGroup, group)}` : sql``} ${kind ? sql`and t.kind = ${kind}` : sql``} ${bizId === undefined ? sql`` : sql`and t.biz_id = ${bizId}`}
    `)
    // The person's other windows count anew.
    if (n) {
      app.live.publishOnCommit(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
    }
  }),
  writes(deleteNotifications, async ({ ids }, { tx, scope, app }) => {
    const n = await tx.execute(
      sql`
        update notification t
        set delete_tag = 1, run_ring = null, ${touch(scope, 't')}
        where ${ownNotificationsFilter(scope)} and t.id = any(${parseIds(ids)}::bigint[])
      `,
    )
    if (!n) throw notFound()
    app.live.publishOnCommit(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
  }),

  reads(getNotificationSetting, async (_, { db, scope }) => {
    const s = await db.one<{ off: string[]; quietFrom?: string; quietTo?: string }>(
      sql`
        select off, quiet_from, quiet_to
        from notification_setting
        where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId}
      `,
    )
    return {
      kinds: listNotificationKinds().map(k => ({
        kind: k.key,
        name: k.label,
        noticeGroup: k.group,
        on: k.fixed === true || !s?.off.includes(k.key),
        fixed: k.fixed === true,
      })),
      ...(s?.quietFrom && s.quietTo ? { quietFrom: s.quietFrom, quietTo: s.quietTo } : {}),
    }
  }),
  writes(saveNotificationSetting, async ({ quietFrom, quietTo, off = [] }, { tx, scope }) => {
    if ((quietFrom === undefined) !== (quietTo === undefined))
      throw invalidInput([
        quietFrom === undefined
          ? { Field: 'QuietFrom', Message: '请填写免打扰开始时间，或把两个时间都清空' }
          : { Field: 'QuietTo', Message: '请填写免打扰结束时间，或把两个时间都清空' },
      ])
    if (quietFrom !== undefined && quietFrom === quietTo)
      throw invalidInput([
        { Field: 'QuietTo', Message: '开始和结束相同，没有免打扰时间；不需要时请把两个都清空' },
      ])
    const unknown = off.find(k => !findNotificationKind(k))
    if (unknown !== undefined) throw invalidInput([{ Field: 'Off', Message: `没有消息类型「${unknown}」` }])
    const fixed = off.map(findNotificationKind).find(k => k?.fixed)
    if (fixed) throw invalidInput([{ Field: 'Off', Message: `「${fixed.label}」是必须接收的消息，不能关闭` }])
    await tx.execute(sql`
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
