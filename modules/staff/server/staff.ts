import { notFound, refuse, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import { buildSearchText } from '#kit/domain/search-text.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { assertDeletable } from '#kit/server/dependents.ts'
import { reads, uniqueMessages, writes, type WriteContext } from '#kit/server/handler.ts'
import { checkPicture } from '#kit/server/picture.ts'
import { restoreMasked, mask, maskRows } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { matchesSearchText } from '#kit/server/search-text.ts'
import {
  findByIds,
  countRows,
  insert,
  requireById,
  findPage,
  remove,
  findAll,
  update,
  withAllFields,
} from '#kit/server/table.ts'
import { live, touch } from '#kit/server/sql.ts'
import {
  addStaff,
  tagStaff,
  listAllStaff,
  deleteStaff,
  untagStaff,
  editStaff,
  resignStaff,
  listStaff,
  moveStaff,
  getStaff,
  staff,
  staffFilters,
  listTicketSellers,
  updateStaffAvatar,
  type Staff,
} from '../contract/staff.ts'
import { findSelfAndDescendants } from '../domain/department-tree.ts'
import { loadFlatDepartments } from './department.ts'

uniqueMessages({
  staff_no_live: '该工号已存在，请换一个工号',
  staff_mobile_live: '该手机号已是另一位员工的，请核对',
  staff_manager_live: '该登录账号已绑定另一位员工',
})

export const buildStaffSearchText = (s: Pick<Staff, 'name' | 'staffNo' | 'mobile'>): string =>
  buildSearchText([s.name], [s.staffNo?.toLowerCase(), s.mobile])

const saveSearchText = (tx: Tx, owner: number, s: Staff): Promise<number> =>
  tx.execute(
    sql`update staff set search_text = ${buildStaffSearchText(s)} where owner_id = ${owner} and id = ${s.id}`,
  )

type StaffDraft = NonNullable<typeof addStaff.input.T>

async function validateStaff(
  d: StaffDraft,
  { tx, scope, app, today }: WriteContext,
  before?: Staff,
): Promise<void> {
  const faults: FieldFault[] = []
  if (
    d.departmentId &&
    !(await tx.one(
      sql`
        select 1 as there
        from department
        where owner_id = ${scope.ownerId} and id = ${d.departmentId} and ${live()}
        for share
      `,
    ))
  ) {
    faults.push({ Field: 'Departmentid', Message: '部门不存在，请重新选择' })
  }
  if (
    d.managerId &&
    !(await tx.one(
      sql`
        select 1 as there
        from manager
        where owner_id = ${scope.ownerId} and id = ${d.managerId} and ${live()}
      `,
    ))
  ) {
    faults.push({ Field: 'ManagerID', Message: '登录账号不存在，请重新选择' })
  }
  if (d.entryDate && d.leaveDate && d.leaveDate < d.entryDate) {
    faults.push({ Field: 'LeaveDate', Message: '离职日期不能早于入职日期' })
  }
  if (d.state === 'left' && !d.leaveDate) {
    faults.push({ Field: 'LeaveDate', Message: '离职请填写离职日期' })
  }
  if (d.leaveDate && d.leaveDate > today) {
    faults.push({ Field: 'LeaveDate', Message: '离职日期不能晚于今天，请到当天再办理' })
  }
  if (d.head !== before?.head) {
    faults.push(...(await checkPicture(app.files, scope.ownerId, d.head, 'HeadUrl', '头像')))
  }
  if (faults.length) throw invalidInput(faults)
}

export async function buildStaffFilter(
  db: Parameters<typeof loadFlatDepartments>[0],
  scope: Scope,
  q: {
    readonly departmentId?: number
    readonly tag?: string
    readonly keyword?: string
    readonly ids?: readonly string[]
  },
) {
  const under =
    q.departmentId === undefined
      ? undefined
      : findSelfAndDescendants(await loadFlatDepartments(db, scope.ownerId), q.departmentId)
  return [
    ...(under ? [sql`t.department_id = any(${under})`] : []),
    ...(q.tag === undefined ? [] : [sql`${q.tag} = any(t.tags)`]),
    ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
    ...(q.keyword ? [matchesSearchText(q.keyword)] : []),
  ]
}

/** Ends what people led. */
const clearDepartmentLeader = (tx: Tx, scope: Scope, ids: readonly number[]): Promise<number> =>
  tx.execute(
    sql`
      update department
      set leader_id = null, ${touch(scope)}
      where owner_id = ${scope.ownerId} and leader_id = any(${[...ids]})
    `,
  )

const maxPageSize = 2000

/** Those people, held; none may be missing. */
async function lockStaff(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Staff[]> {
  const found = await findByIds(tx, staff, scope, ids, true)
  if (found.length !== new Set(ids.map(Number)).size) throw notFound()
  return found
}

const updateTags =
  (of: (tags: readonly string[]) => ReturnType<typeof sql>) =>
  async (
    { ids, tags }: { readonly ids: readonly string[]; readonly tags: readonly string[] },
    { tx, scope }: WriteContext,
  ): Promise<void> => {
    const found = await lockStaff(tx, scope, ids)
    const now = new Map(
      (
        await tx.rows<{ id: number; tags?: string[] }>(
          sql`
            update staff
            set tags = ${of(tags)}, ${touch(scope)}
            where owner_id = ${scope.ownerId} and id = any(${found.map(s => s.id)})
            returning id, tags
          `,
        )
      ).map(r => [r.id, r.tags ?? []]),
    )
    await audit(
      tx,
      scope,
      found.map(s => ({
        action: 'update',
        entity: 'staff',
        entityId: s.id,
        before: { tags: s.tags ?? [] },
        after: { tags: now.get(s.id) },
      })),
    )
  }

const maskStaff = (scope: Scope) => (all: readonly Staff[]) => maskRows(staff.fields, all, scope)

export const staffHandlers = [
  reads(listStaff, async ({ departmentId, tag, keyword, ids, ...q }, { db, scope }) => {
    const find = {
      filters: staffFilters,
      where: await buildStaffFilter(db, scope, {
        ...(departmentId ? { departmentId } : {}),
        ...(tag ? { tag } : {}),
        ...(ids ? { ids } : {}),
        ...(keyword ? { keyword } : {}),
      }),
    }
    // More than a page holds is asked for whole (0§7).
    if ((q.size ?? 0) > maxPageSize && (q.page ?? 1) === 1) {
      const all = await findAll(db, staff, scope, q, { ...find, limit: q.size! })
      return {
        total: all.length < q.size! ? all.length : await countRows(db, staff, scope, q, find),
        rows: maskStaff(scope)(all),
      }
    }
    const found = await findPage(db, staff, scope, q, find)
    return { ...found, rows: maskStaff(scope)(found.rows) }
  }),
  reads(listTicketSellers, async (_, { db, scope }) =>
    maskStaff(scope)(
      await findAll(
        db,
        staff,
        scope,
        {},
        { where: [sql`t.is_ticket_seller`, sql`t.state <> 30`], limit: 10_000 },
      ),
    ),
  ),
  reads(listAllStaff, async (_, { db, scope }) =>
    maskStaff(scope)(await findAll(db, staff, scope, {}, { where: [sql`t.state <> 30`], limit: 10_000 })),
  ),
  reads(getStaff, async ({ id }, { db, scope }) =>
    mask(staff.fields, await requireById(db, staff, scope, id), scope),
  ),
  writes(addStaff, async (draft, c) => {
    const { id: _, version: __, ...d } = draft
    await validateStaff(d, c)
    const made = await insert(c.tx, staff, c.scope, { ...d, isTicketSeller: d.isTicketSeller ?? false })
    await saveSearchText(c.tx, c.scope.ownerId, made)
    return mask(staff.fields, made, c.scope)
  }),
  writes(editStaff, async ({ id, version, ...said }, c) => {
    if (!id) return refuse('缺少要修改的员工')
    const before = await requireById(c.tx, staff, c.scope, id, true)
    const d = restoreMasked(staff.fields, said, before, c.scope)
    await validateStaff(d, c, before)
    const after = await update(c.tx, staff, c.scope, id, withAllFields(editStaff.input, d), { version })
    await saveSearchText(c.tx, c.scope.ownerId, after)
    if (after.state === 'left' && before.state !== 'left') {
      await clearDepartmentLeader(c.tx, c.scope, [id])
    }
    return mask(staff.fields, after, c.scope)
  }),
  writes(deleteStaff, async ({ ids, reason }, { tx, scope }) => {
    for (const s of await findByIds(tx, staff, scope, ids, true)) {
      await assertDeletable(tx, scope, 'staff', `员工「${s.name}」`, [s])
    }
    await remove(tx, staff, scope, ids, reason)
    await clearDepartmentLeader(tx, scope, ids.map(Number))
  }),
  writes(updateStaffAvatar, async ({ id, head }, { tx, scope, app }) => {
    await requireById(tx, staff, scope, id, true)
    const faults = await checkPicture(app.files, scope.ownerId, head, 'HeadUrl', '头像')
    if (faults.length) throw invalidInput(faults)
    return mask(staff.fields, await update(tx, staff, scope, id, { head }), scope)
  }),
  writes(moveStaff, async ({ ids, departmentId }, { tx, scope }) => {
    if (
      !(await tx.one(
        sql`
          select 1 as there
          from department
          where owner_id = ${scope.ownerId} and id = ${departmentId} and ${live()}
          for share
        `,
      ))
    )
      throw invalidInput([{ Field: 'Departmentid', Message: '部门不存在，请重新选择' }])
    const moved = (await lockStaff(tx, scope, ids)).filter(s => s.departmentId !== departmentId)
    const gone = moved.map(s => s.id)
    await tx.execute(
      sql`
        update staff
        set department_id = ${departmentId}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${gone})
      `,
    )
    await tx.execute(
      sql`
        update department
        set leader_id = null, version = version + 1, update_time = now()
        where owner_id = ${scope.ownerId} and leader_id = any(${gone}) and id <> ${departmentId}
      `,
    )
    await audit(
      tx,
      scope,
      moved.map(s => ({
        action: 'update',
        entity: 'staff',
        entityId: s.id,
        before: { departmentId: s.departmentId },
        after: { departmentId },
      })),
    )
  }),
  writes(resignStaff, async ({ ids, leaveDate, reason }, { tx, scope, today }) => {
    if (leaveDate > today)
      throw invalidInput([{ Field: 'LeaveDate', Message: '离职日期不能晚于今天，请到当天再办理' }])
    const found = await lockStaff(tx, scope, ids)
    const left = found.find(s => s.state === 'left')
    const early = found.find(s => s.entryDate && s.entryDate > leaveDate)
    if (left) return refuse(`${left.name}已于 ${left.leaveDate ?? '之前'} 离职，不用重复办理`)
    if (early)
      throw invalidInput([
        { Field: 'LeaveDate', Message: `${early.name} ${early.entryDate} 才入职，离职日期不能早于它` },
      ])
    await tx.execute(
      sql`
        update staff
        set state = 30, leave_date = ${leaveDate}, ${touch(scope)}
        where owner_id = ${scope.ownerId} and id = any(${found.map(s => s.id)})
      `,
    )
    await clearDepartmentLeader(
      tx,
      scope,
      found.map(s => s.id),
    )
    await audit(
      tx,
      scope,
      found.map(s => ({
        action: 'state',
        entity: 'staff',
        entityId: s.id,
        before: { state: s.state },
        after: { state: 'left', leaveDate },
        reason,
      })),
    )
  }),
  writes(
    tagStaff,
    updateTags(
      tags => sql`(select array_agg(distinct x) from unnest(coalesce(tags, '{}') || ${[...tags]}::text[]) x)`,
    ),
  ),
  writes(
    untagStaff,
    updateTags(
      tags =>
        sql`(select array_agg(x) from unnest(coalesce(tags, '{}')) x where not x = any(${[...tags]}::text[]))`,
    ),
  ),
]
