import { parseId, type Id } from '#kit/domain/id.ts'
import { keyOf } from '#kit/contract/field.ts'
import { invalidInput, notFound } from '#kit/contract/wire.ts'
import { sql, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, findPage } from '#kit/server/table.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
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
import { isMailAvailable, requireMail } from '#kit/server/mail.ts'
import { findMailAddresses } from './notification-mail.ts'
import { findNotificationKind, listNotificationKinds } from './notify.ts'

/** The messages of the caller in `notification t`; no other account sees them. */
const ownNotificationsFilter = (scope: Scope) =>
  sql`t.owner_id = ${scope.ownerId}
    and t.receiver_kind = ${code(receiverKind, 'manager')}
    and t.receiver_id = ${scope.operatorId}
    and ${notDeleted('t')}`

const withKindName = (m: Notification): Notification => ({
  ...m,
  kindName: findNotificationKind(m.kind)?.label ?? m.kind,
})

const parseIds = (ids: readonly string[]): Id[] => ids.map(parseId).filter(id => id > 0)

type Selection = NonNullable<typeof markNotificationsRead.input.T>

/** Some messages, those of a group or a kind, or those about one record; all without any of these. */
function selectionFilter({ ids, noticeGroup, kind, bizId }: Selection): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`true`]
  if (ids?.length) {
    parts.push(sql`t.id = any(${parseIds(ids)}::bigint[])`)
  }
  if (noticeGroup) {
    parts.push(sql`t.notice_group = ${code(notificationGroup, noticeGroup)}`)
  }
  if (kind) {
    parts.push(sql`t.kind = ${kind}`)
  }
  if (bizId !== undefined) {
    parts.push(sql`t.biz_id = ${bizId}`)
  }
  return sql.join(parts, sql` and `)
}

function assertQuietHours(from: string | undefined, to: string | undefined): void {
  if (from === undefined && to !== undefined)
    throw invalidInput([{ Field: 'QuietFrom', Message: '请填写免打扰开始时间，或把两个时间都清空' }])
  if (from !== undefined && to === undefined)
    throw invalidInput([{ Field: 'QuietTo', Message: '请填写免打扰结束时间，或把两个时间都清空' }])
  if (from !== undefined && from === to)
    throw invalidInput([
      { Field: 'QuietTo', Message: '开始和结束相同，没有免打扰时间；不需要时请把两个都清空' },
    ])
}

function assertCanSwitchOff(kinds: readonly string[]): void {
  const unknown = kinds.find(key => !findNotificationKind(key))
  if (unknown !== undefined) throw invalidInput([{ Field: 'Off', Message: `没有消息类型「${unknown}」` }])
  const mandatory = kinds.map(findNotificationKind).find(kind => kind?.mandatory)
  if (mandatory)
    throw invalidInput([{ Field: 'Off', Message: `「${mandatory.label}」是必须接收的消息，不能关闭` }])
}

/** A kind of message by e-mail needs a mail server, an own address, and that the kind is wanted at all. */
async function assertCanMail(tx: Tx, scope: Scope, kinds: readonly string[]): Promise<void> {
  if (!kinds.length) return
  const unknown = kinds.find(key => !findNotificationKind(key))
  if (unknown !== undefined) throw invalidInput([{ Field: 'Mailed', Message: `没有消息类型「${unknown}」` }])
  requireMail()
  const addresses = await findMailAddresses(tx, scope.ownerId, [scope.operatorId])
  if (!addresses.has(scope.operatorId))
    throw invalidInput([{ Field: 'Mailed', Message: '你的账号未绑定邮箱，请先在个人中心绑定' }])
}

export const notificationHandlers = [
  reads(listNotifications, async ({ unread, ...query }, { db, scope }) => {
    const where = [ownNotificationsFilter(scope)]
    if (unread !== undefined) {
      where.push(unread ? sql`t.read_time is null` : sql`t.read_time is not null`)
    }
    const filters = listNotifications.input.filters ?? []
    const page = await findPage(db, notification, scope, query, { filters, where })
    return { ...page, rows: page.rows.map(withKindName) }
  }),
  reads(getNotification, async ({ id }, { db, scope }) => {
    const m = await requireById(db, notification, scope, id)
    if (m.receiverKind !== 'manager' || m.receiverId !== scope.operatorId) throw notFound()
    return withKindName(m)
  }),
  reads(countUnreadNotifications, async (_, { db, scope }) => {
    const rows = await db.rows<{ groupCode: number; count: number }>(
      sql`
        select t.notice_group as group_code, count(*) as count
        from notification t
        where ${ownNotificationsFilter(scope)} and t.read_time is null
        group by 1
      `,
    )
    const counts = new Map(rows.map(row => [keyOf(notificationGroup, row.groupCode), Number(row.count)]))
    return {
      unread: rows.reduce((sum, row) => sum + Number(row.count), 0),
      todo: counts.get('todo') ?? 0,
      notice: counts.get('notice') ?? 0,
      system: counts.get('system') ?? 0,
    }
  }),
  writes(markNotificationsRead, async (selection, { tx, scope, app }) => {
    const changed = await tx.execute(sql`
      update notification t
      set read_time = ${new Date(app.clock())}, run_ring = null, ${touch(scope, 't')}
      where ${ownNotificationsFilter(scope)} and t.read_time is null and ${selectionFilter(selection)}
    `)
    // The account's other windows count again.
    if (changed) {
      app.live.publishOnCommit(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
    }
  }),
  writes(deleteNotifications, async ({ ids }, { tx, scope, app }) => {
    const changed = await tx.execute(
      sql`
        update notification t
        set delete_tag = 1, run_ring = null, ${touch(scope, 't')}
        where ${ownNotificationsFilter(scope)} and t.id = any(${parseIds(ids)}::bigint[])
      `,
    )
    if (!changed) throw notFound()
    app.live.publishOnCommit(tx, scope.ownerId, [scope.operatorId], 'notice', { kind: 'read' })
  }),

  reads(getNotificationSetting, async (_, { db, scope }) => {
    const setting = await db.one<{ off: string[]; mailed: string[]; quietFrom?: string; quietTo?: string }>(
      sql`
        select off, mailed, quiet_from, quiet_to
        from notification_setting
        where owner_id = ${scope.ownerId} and operator_id = ${scope.operatorId}
      `,
    )
    const email = (await findMailAddresses(db, scope.ownerId, [scope.operatorId])).get(scope.operatorId)
    return {
      mailAvailable: isMailAvailable(),
      ...(email === undefined ? {} : { email }),
      kinds: listNotificationKinds().map(({ key, label, group, mandatory = false }) => ({
        kind: key,
        name: label,
        noticeGroup: group,
        on: mandatory || !setting?.off.includes(key),
        mandatory,
        mail: setting?.mailed.includes(key) ?? false,
      })),
      ...(setting?.quietFrom && setting.quietTo
        ? { quietFrom: setting.quietFrom, quietTo: setting.quietTo }
        : {}),
    }
  }),
  writes(saveNotificationSetting, async ({ quietFrom, quietTo, off = [], mailed }, { tx, scope }) => {
    assertQuietHours(quietFrom, quietTo)
    assertCanSwitchOff(off)
    await assertCanMail(tx, scope, mailed ?? [])
    await tx.execute(sql`
      insert into notification_setting (
        owner_id, operator_id, off, mailed, quiet_from, quiet_to, update_time
      )
      values (
        ${scope.ownerId}, ${scope.operatorId}, ${[...new Set(off)]}::text[],
        ${[...new Set(mailed)]}::text[], ${quietFrom ?? null}, ${quietTo ?? null},
        ${scope.time}::timestamptz
      )
      on conflict (owner_id, operator_id) do update set off = excluded.off,
        ${mailed === undefined ? sql`` : sql`mailed = excluded.mailed,`}
        quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, update_time = excluded.update_time
    `)
  }),
]
