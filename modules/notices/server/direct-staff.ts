import { invalidInput, refuse, type FieldFault } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { crudHandlers, joinServers } from '#kit/server/crud.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, codes, notDeleted } from '#kit/server/sql.ts'
import { insert, requireById, update } from '#kit/server/table.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { receiverKind as notificationReceiver } from '#modules/system/contract/notification.ts'
import { defineNotificationKind, notify, retractNotifications } from '#modules/system/server/public.ts'
import {
  addAndPublishStaffNotice,
  publishStaffNotice,
  staffNotice,
  staffNotices,
  withdrawStaffNotice,
  type StaffNotice,
} from '../contract/direct.ts'
import { directEditFault, directPublishFault } from '../domain/states.ts'
import { directActions, isOwnOrAll, requireOwnOrAll } from './direct-notice.ts'

type Draft = NonNullable<typeof staffNotices.edit.input.T>

const staffNoticeKind = defineNotificationKind({
  key: 'notices.staff',
  label: '员工通知',
  group: 'notice',
  entity: 'staffNotice',
})

interface Target {
  readonly id: Id
  readonly managerId?: Id
}

const findTargets = (tx: Tx, { ownerId }: Scope, ids: readonly string[]): Promise<Target[]> =>
  tx.rows<Target>(sql`
    select s.id, s.manager_id
    from staff s
    where s.owner_id = ${ownerId}
      and s.id = any(${ids.map(parseId)}::bigint[])
      and s.state in ${codes(staffState, 'active')}
      and ${notDeleted('s')}
  `)

async function draftFaults(draft: Draft, c: WriteContext, before?: StaffNotice): Promise<FieldFault[]> {
  if (before) {
    await requireOwnOrAll(c.tx, c.scope, 'staff_notice', before.id)
    const fault = directEditFault(before.state)
    if (fault !== undefined) return refuse(fault)
  }
  const found = await findTargets(c.tx, c.scope, draft.targetIds)
  return found.length < new Set(draft.targetIds).size
    ? [{ Field: 'TargetIDs', Message: '部分员工不存在或已离职，请重新选择' }]
    : []
}

/** Each with an account gets a system message; those without one cannot have any. */
async function publish(c: WriteContext, notice: StaffNotice): Promise<StaffNotice> {
  const { tx, app, scope, now } = c
  const fault = directPublishFault(notice.state)
  if (fault !== undefined) return refuse(fault)
  const targets = await findTargets(tx, scope, notice.targetIds)
  const accounts = targets.flatMap(({ managerId }) => managerId ?? [])
  if (!accounts.length) return refuse('所选员工均无登录账号，请先开通账号或重新选择')
  await notify(tx, app, scope.ownerId, {
    kind: staffNoticeKind,
    to: accounts,
    title: notice.title,
    text: notice.content,
    bizId: notice.id,
  })
  return update(tx, staffNotice, scope, notice.id, {
    state: 'published',
    publishTime: now,
    publisherName: scope.name,
  })
}

const { lock, withdraw } = directActions<StaffNotice>({
  table: 'staff_notice',
  findLocked: ({ tx, scope }, id) => requireById(tx, staffNotice, scope, id, { lock: true }),
  retract: ({ tx, app, scope }, id) => retractNotifications([tx, app, scope], staffNoticeKind, [id]),
  save: ({ tx, scope }, id, values, reason) => update(tx, staffNotice, scope, id, values, { reason }),
})

/** From the messages: one that its reader has put away was read. */
async function withMessageCounts(
  rows: readonly StaffNotice[],
  { db, scope: { ownerId } }: { readonly db: Db; readonly scope: Scope },
): Promise<readonly StaffNotice[]> {
  const ids = rows.filter(row => row.state === 'published').map(row => row.id)
  if (!ids.length) return rows
  const counts = await db.rows<{ id: Id; totalCount: number; readCount: number }>(sql`
    select n.biz_id as id, count(*)::int as total_count,
      (count(*) filter (where n.read_time is not null or n.delete_tag <> 0))::int as read_count
    from notification n
    where n.owner_id = ${ownerId}
      and n.receiver_kind = ${code(notificationReceiver, 'manager')}
      and n.kind = ${staffNoticeKind.key}
      and n.biz_id = any(${ids}::bigint[])
    group by n.biz_id
  `)
  const byId = new Map(counts.map(row => [row.id, row]))
  return rows.map(row => ({ ...row, ...byId.get(row.id) }))
}

const counted = async (notice: StaffNotice, { tx, scope }: WriteContext): Promise<StaffNotice> =>
  (await withMessageCounts([notice], { db: tx, scope }))[0] ?? notice

export const staffNoticeServer = joinServers(
  crudHandlers(staffNotices, {
    addSaves: true,
    byHand: ['get'],
    filter: (_, { scope }) => isOwnOrAll(scope),
    enrich: withMessageCounts,
    check: draftFaults,
    beforeDelete: async (rows, c) => {
      for (const { id } of rows) {
        await requireOwnOrAll(c.tx, c.scope, 'staff_notice', id)
      }
    },
    afterDelete: (rows, { tx, app, scope }) =>
      retractNotifications(
        [tx, app, scope],
        staffNoticeKind,
        rows.map(row => row.id),
      ),
  }),
  {
    handlers: [
      reads(staffNotices.get, async ({ id }, { db, scope }) => {
        await requireOwnOrAll(db, scope, 'staff_notice', id)
        const notice = await requireById(db, staffNotice, scope, id)
        return (await withMessageCounts([notice], { db, scope }))[0] ?? notice
      }),
      writes(addAndPublishStaffNotice, async ({ id, version: _version, ...draft }, c) => {
        if (id) return refuse('该通知已保存，请保存修改后点「发布」')
        const faults = await draftFaults(draft, c)
        if (faults.length) throw invalidInput(faults)
        const notice = await insert(c.tx, staffNotice, c.scope, { ...draft, state: 'draft' })
        return counted(await publish(c, notice), c)
      }),
      writes(publishStaffNotice, async ({ id }, c) => counted(await publish(c, await lock(c, id)), c)),
      writes(withdrawStaffNotice, async ({ id, reason }, c) => counted(await withdraw(c, id, reason), c)),
    ],
  },
)
