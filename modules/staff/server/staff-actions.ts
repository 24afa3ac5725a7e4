import type { Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import type { BulkResult } from '#kit/contract/bulk-result.ts'
import { invalidInput, notFound, refuse, invalidField, type FieldFault } from '#kit/contract/wire.ts'
import { audit, type AuditEntry } from '#kit/server/audit.ts'
import { bulkResultOf, judgeRecords } from '#kit/server/bulk-result.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch } from '#kit/server/sql.ts'
import { findByIds, requireById, update, updateAll } from '#kit/server/table.ts'
import {
  moveStaff,
  resignStaff,
  staff,
  tagStaff,
  untagStaff,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { clearDepartmentLeader, endDuties } from './staff-leaving.ts'
import { holdDepartment } from './staff.ts'

/** Locks the people who exist; each missing one is reported (G-11). */
async function lockStaff(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Staff[]> {
  const found = await findByIds(tx, staff, scope, ids, { lock: true })
  if (!found.length) throw notFound()
  return found
}

async function assertTagsExist(tx: Tx, scope: Scope, tags: readonly string[]): Promise<void> {
  const rows = await tx.rows<{ name: string }>(
    sql`
      select name
      from staff_tag
      where owner_id = ${scope.ownerId} and ${notDeleted()} and name = any(${[...tags]}::text[])
    `,
  )
  const known = new Set(rows.map(row => row.name))
  const unknown = tags.find(tag => !known.has(tag))
  if (unknown !== undefined) throw invalidField('Tags', `没有标签「${unknown}」，请先在标签管理中新增`)
}

const updateTags =
  (of: (tags: readonly string[]) => ReturnType<typeof sql>) =>
  async (
    { ids, tags }: { readonly ids: readonly string[]; readonly tags: readonly string[] },
    { tx, scope }: WriteContext,
  ): Promise<BulkResult> => {
    const found = await lockStaff(tx, scope, ids)
    const changed = await tx.rows<{ id: Id; tags?: string[] }>(sql`
      update staff
      set tags = ${of(tags)}, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = any(${found.map(s => s.id)})
      returning id, tags
    `)
    const tagsById = new Map(changed.map(r => [r.id, r.tags ?? []]))
    const entries = found.map((staffRow): AuditEntry => ({
      action: 'update',
      entity: 'staff',
      entityId: staffRow.id,
      before: { tags: staffRow.tags ?? [] },
      after: { tags: tagsById.get(staffRow.id) },
    }))
    await audit(tx, scope, entries)
    return bulkResultOf(ids, found, [])
  }

const addTags = updateTags(
  tags => sql`(select array_agg(distinct x) from unnest(coalesce(tags, '{}') || ${[...tags]}::text[]) x)`,
)

/** Why somebody cannot leave on that day. */
function leaveFault({ name, state, leaveDate, entryDate }: Staff, day: Day): FieldFault | undefined {
  if (state === 'left')
    return { Field: 'Ids', Message: `${name}已于 ${leaveDate ?? '之前'} 离职，无需重复办理` }
  return entryDate && entryDate > day
    ? { Field: 'LeaveDate', Message: `${name} ${entryDate} 入职，离职日期不能早于该日` }
    : undefined
}

export const staffActionHandlers = [
  writes(updateStaffAvatar, async ({ id, head }, { tx, scope, app }) => {
    await requireById(tx, staff, scope, id, { lock: true })
    const faults = await checkPicture(app.files, scope.ownerId, head, 'HeadUrl', '头像')
    if (faults.length) throw invalidInput(faults)
    return update(tx, staff, scope, id, { head })
  }),
  writes(moveStaff, async ({ ids, departmentId }, { tx, scope }) => {
    if (!(await holdDepartment(tx, scope, departmentId)))
      throw invalidField('Departmentid', '部门不存在，请重新选择')
    const found = await lockStaff(tx, scope, ids)
    const moved = found.filter(s => s.departmentId !== departmentId)
    await updateAll(tx, staff, scope, moved, { departmentId })
    await clearDepartmentLeader(tx, scope, moved, departmentId)
    return bulkResultOf(ids, found, [])
  }),
  writes(resignStaff, async ({ ids, leaveDate, reason }, { tx, scope, today }) => {
    if (leaveDate > today) throw invalidField('LeaveDate', '离职日期不能晚于今天，请到当天再办理')
    const found = await lockStaff(tx, scope, ids)
    const { allowed, refused } = judgeRecords(
      found,
      one => leaveFault(one, leaveDate)?.Message,
      one => one.name,
    )
    const [alone] = ids.length === 1 ? found : []
    const fault = alone && leaveFault(alone, leaveDate)
    if (fault?.Field === 'Ids') return refuse(fault.Message)
    if (fault) throw invalidInput([fault])
    await updateAll(tx, staff, scope, allowed, { state: 'left', leaveDate }, { action: 'state', reason })
    await endDuties(tx, scope, allowed, `离职：${reason}`)
    return bulkResultOf(ids, found, refused)
  }),
  writes(tagStaff, async (input, context) => {
    await assertTagsExist(context.tx, context.scope, input.tags)
    return addTags(input, context)
  }),
  writes(
    untagStaff,
    updateTags(
      tags =>
        sql`(select array_agg(x) from unnest(coalesce(tags, '{}')) x where not x = any(${[...tags]}::text[]))`,
    ),
  ),
]
