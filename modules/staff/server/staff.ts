import { absent, refuse, wrong, type FieldFault } from '#kit/contract/wire.ts'
import { searchTextOf } from '#kit/domain/spell.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { audit } from '#kit/server/audit.ts'
import { mayGo } from '#kit/server/guard.ts'
import { reads, uniqueSays, writes, type Writing } from '#kit/server/handle.ts'
import { pictureFault } from '#kit/server/picture.ts'
import { unveiled, veil, veiled } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { soughtBy } from '#kit/server/sought.ts'
import { byIds, count, insert, need, page, remove, rows, update, whole } from '#kit/server/table.ts'
import {
  addStaff,
  addTags,
  allStaff,
  deleteStaff,
  dropTags,
  editStaff,
  leaveStaff,
  listStaff,
  moveStaff,
  oneStaff,
  staff,
  staffFilters,
  ticketSellers,
  updateHead,
  type Staff,
} from '../contract/staff.ts'
import { below } from '../domain/tree.ts'
import { flatDepartments } from './department.ts'

uniqueSays({
  staff_no_live: '该工号已存在，请换一个工号',
  staff_mobile_live: '该手机号已是另一位员工的，请核对',
  staff_manager_live: '该登录账号已绑定另一位员工',
})

export const searchOf = (s: Pick<Staff, 'name' | 'staffNo' | 'mobile'>): string =>
  searchTextOf([s.name], [s.staffNo?.toLowerCase(), s.mobile])

const keepSearch = (tx: Tx, owner: number, s: Staff): Promise<number> =>
  tx.run(sql`update staff set search_text = ${searchOf(s)} where owner_id = ${owner} and id = ${s.id}`)

type Draft = NonNullable<typeof addStaff.input.T>

async function checked(d: Draft, { tx, scope, world, today }: Writing, before?: Staff): Promise<void> {
  const faults: FieldFault[] = []
  if (
    d.departmentId &&
    !(await tx.one(
      sql`
        select 1 as there
        from department
        where owner_id = ${scope.ownerId} and id = ${d.departmentId} and delete_tag = 0
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
        where owner_id = ${scope.ownerId} and id = ${d.managerId} and delete_tag = 0
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
    faults.push(...(await pictureFault(world.files, scope.ownerId, d.head, 'HeadUrl', '头像')))
  }
  if (faults.length) throw wrong(faults)
}

export async function staffWhere(
  db: Parameters<typeof flatDepartments>[0],
  scope: Scope,
  q: {
    readonly departmentId?: number
    readonly tag?: string
    readonly keyword?: string
    readonly ids?: readonly string[]
  },
) {
  const under =
    q.departmentId === undefined ? undefined : below(await flatDepartments(db, scope.ownerId), q.departmentId)
  return [
    ...(under ? [sql`t.department_id = any(${under})`] : []),
    ...(q.tag === undefined ? [] : [sql`${q.tag} = any(t.tags)`]),
    ...(q.ids ? [sql`t.id = any(${q.ids.map(Number).filter(Number.isSafeInteger)})`] : []),
    ...(q.keyword ? [soughtBy(q.keyword)] : []),
  ]
}

/** Ends what people led. */
const unled = (tx: Tx, scope: Scope, ids: readonly number[]): Promise<number> =>
  tx.run(
    sql`
      update department
      set leader_id = null, version = version + 1, update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and leader_id = any(${[...ids]})
    `,
  )

const mostPaged = 2000

/** Those people, held; none may be missing. */
async function held(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Staff[]> {
  const found = await byIds(tx, staff, scope, ids, true)
  if (found.length !== new Set(ids.map(Number)).size) throw absent()
  return found
}

const tagging =
  (of: (tags: readonly string[]) => ReturnType<typeof sql>) =>
  async (
    { ids, tags }: { readonly ids: readonly string[]; readonly tags: readonly string[] },
    { tx, scope }: Writing,
  ): Promise<void> => {
    const found = await held(tx, scope, ids)
    const now = new Map(
      (
        await tx.rows<{ id: number; tags?: string[] }>(
          sql`
            update staff
            set tags = ${of(tags)}, version = version + 1, update_time = now(),
              update_by = ${scope.operatorId}
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

const seen = (scope: Scope) => (all: readonly Staff[]) => veiled(staff.fields, all, scope)

export const staffHandlers = [
  reads(listStaff, async ({ departmentId, tag, keyword, ids, ...q }, { db, scope }) => {
    const find = {
      filters: staffFilters,
      where: await staffWhere(db, scope, {
        ...(departmentId ? { departmentId } : {}),
        ...(tag ? { tag } : {}),
        ...(ids ? { ids } : {}),
        ...(keyword ? { keyword } : {}),
      }),
    }
    // More than a page holds is asked for whole (0§7).
    if ((q.size ?? 0) > mostPaged && (q.page ?? 1) === 1) {
      const all = await rows(db, staff, scope, q, { ...find, limit: q.size! })
      return {
        total: all.length < q.size! ? all.length : await count(db, staff, scope, q, find),
        rows: seen(scope)(all),
      }
    }
    const found = await page(db, staff, scope, q, find)
    return { ...found, rows: seen(scope)(found.rows) }
  }),
  reads(ticketSellers, async (_, { db, scope }) =>
    seen(scope)(
      await rows(
        db,
        staff,
        scope,
        {},
        { where: [sql`t.is_ticket_seller`, sql`t.state <> 30`], limit: 10_000 },
      ),
    ),
  ),
  reads(allStaff, async (_, { db, scope }) =>
    seen(scope)(await rows(db, staff, scope, {}, { where: [sql`t.state <> 30`], limit: 10_000 })),
  ),
  reads(oneStaff, async ({ id }, { db, scope }) =>
    veil(staff.fields, await need(db, staff, scope, id), scope),
  ),
  writes(addStaff, async (draft, c) => {
    const { id: _, version: __, ...d } = draft
    await checked(d, c)
    const made = await insert(c.tx, staff, c.scope, { ...d, isTicketSeller: d.isTicketSeller ?? false })
    await keepSearch(c.tx, c.scope.ownerId, made)
    return veil(staff.fields, made, c.scope)
  }),
  writes(editStaff, async ({ id, version, ...said }, c) => {
    if (!id) return refuse('缺少要修改的员工')
    const before = await need(c.tx, staff, c.scope, id, true)
    const d = unveiled(staff.fields, said, before, c.scope)
    await checked(d, c, before)
    const after = await update(c.tx, staff, c.scope, id, whole(editStaff.input, d), { version })
    await keepSearch(c.tx, c.scope.ownerId, after)
    if (after.state === 'left' && before.state !== 'left') {
      await unled(c.tx, c.scope, [id])
    }
    return veil(staff.fields, after, c.scope)
  }),
  writes(deleteStaff, async ({ ids, reason }, { tx, scope }) => {
    for (const s of await byIds(tx, staff, scope, ids, true)) {
      await mayGo(tx, scope, 'staff', `员工「${s.name}」`, [s])
    }
    await remove(tx, staff, scope, ids, reason)
    await unled(tx, scope, ids.map(Number))
  }),
  writes(updateHead, async ({ id, head }, { tx, scope, world }) => {
    await need(tx, staff, scope, id, true)
    const faults = await pictureFault(world.files, scope.ownerId, head, 'HeadUrl', '头像')
    if (faults.length) throw wrong(faults)
    return veil(staff.fields, await update(tx, staff, scope, id, { head }), scope)
  }),
  writes(moveStaff, async ({ ids, departmentId }, { tx, scope }) => {
    if (
      !(await tx.one(
        sql`
          select 1 as there
          from department
          where owner_id = ${scope.ownerId} and id = ${departmentId} and delete_tag = 0
          for share
        `,
      ))
    )
      throw wrong([{ Field: 'Departmentid', Message: '部门不存在，请重新选择' }])
    const moved = (await held(tx, scope, ids)).filter(s => s.departmentId !== departmentId)
    const gone = moved.map(s => s.id)
    await tx.run(
      sql`
        update staff
        set department_id = ${departmentId}, version = version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${gone})
      `,
    )
    await tx.run(
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
  writes(leaveStaff, async ({ ids, leaveDate, reason }, { tx, scope, today }) => {
    if (leaveDate > today)
      throw wrong([{ Field: 'LeaveDate', Message: '离职日期不能晚于今天，请到当天再办理' }])
    const found = await held(tx, scope, ids)
    const left = found.find(s => s.state === 'left')
    const early = found.find(s => s.entryDate && s.entryDate > leaveDate)
    if (left) return refuse(`${left.name}已于 ${left.leaveDate ?? '之前'} 离职，不用重复办理`)
    if (early)
      throw wrong([
        { Field: 'LeaveDate', Message: `${early.name} ${early.entryDate} 才入职，离职日期不能早于它` },
      ])
    await tx.run(
      sql`
        update staff
        set state = 30, leave_date = ${leaveDate}, version = version + 1, update_time = now(),
          update_by = ${scope.operatorId}
        where owner_id = ${scope.ownerId} and id = any(${found.map(s => s.id)})
      `,
    )
    await unled(
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
    addTags,
    tagging(
      tags => sql`(select array_agg(distinct x) from unnest(coalesce(tags, '{}') || ${[...tags]}::text[]) x)`,
    ),
  ),
  writes(
    dropTags,
    tagging(
      tags =>
        sql`(select array_agg(x) from unnest(coalesce(tags, '{}')) x where not x = any(${[...tags]}::text[]))`,
    ),
  ),
]
