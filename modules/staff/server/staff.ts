import type { Id } from '#kit/domain/id.ts'
import type { FieldFault } from '#kit/contract/wire.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, flagFilter, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { registerStaffIds } from '#modules/accounts/server/public.ts'
import { staffState } from '../contract/labels.ts'
import { exportStaff, listAllStaff, listTicketSellers, pickStaff, staff, staffs } from '../contract/staff.ts'
import { findSelfAndDescendants } from '../domain/department-tree.ts'
import { leaveDateFaults } from '../domain/leaving.ts'
import { loadFlatDepartments } from './department.ts'
import { addFingers } from './fingerprint.ts'
import { endDuties } from './staff-leaving.ts'
import { staffImport } from './staff-import.ts'

/** Whether the department is there; it stays until the transaction ends. */
export const holdDepartment = (tx: Tx, scope: Scope, id: Id): Promise<unknown> =>
  tx.one(sql`
    select 1 as found
    from department
    where owner_id = ${scope.ownerId} and id = ${id} and ${notDeleted()}
    for share
  `)

type StaffDraft = NonNullable<typeof staffs.edit.input.T>

async function staffFaults(draft: StaffDraft, { tx, scope, today }: WriteContext): Promise<FieldFault[]> {
  const faults: FieldFault[] = []
  if (draft.departmentId && !(await holdDepartment(tx, scope, draft.departmentId))) {
    faults.push({ Field: 'Departmentid', Message: '部门不存在，请重新选择' })
  }
  return [
    ...faults,
    ...leaveDateFaults(draft, today).map(message => ({ Field: 'LeaveDate', Message: message })),
  ]
}

const employed = sql`t.state <> ${code(staffState, 'left')}`

/** The people of a department and of those under it, those who carry a tag, those who have not left. */
async function staffConditions(
  query: { readonly departmentId?: Id; readonly tag?: string; readonly employed?: boolean },
  { db, scope }: CrudContext,
) {
  const under =
    query.departmentId === undefined
      ? undefined
      : findSelfAndDescendants(await loadFlatDepartments(db, scope.ownerId), query.departmentId)
  return [
    ...(under ? [sql`t.department_id = any(${under})`] : []),
    ...(query.tag === undefined ? [] : [sql`${query.tag} = any(t.tags)`]),
    ...flagFilter(query.employed, employed),
  ]
}

registerStaffIds(async (db, ownerId, managerIds) => {
  const rows = await db.rows<{ id: Id; managerId: Id }>(sql`
    select id, manager_id
    from staff
    where owner_id = ${ownerId} and manager_id = any(${[...managerIds]}::bigint[]) and ${notDeleted()}
  `)
  return new Map(rows.map(({ id, managerId }) => [managerId, id]))
})

export const staffServer = crudHandlers(staffs, {
  searchText: { names: ['name'], codes: ['staffNo', 'mobile'] },
  pictures: ['head'],
  unique: {
    staff_no_live: '该工号已存在，请更换工号',
    staff_mobile_live: '该手机号已是另一位员工的，请核对',
    staff_manager_live: '该登录账号已绑定另一位员工',
  },
  references: { departmentId: { unchecked: 'holdDepartment keeps it until the employee is stored' } },
  filter: staffConditions,
  enrich: addFingers,
  check: staffFaults,
  afterUpdate: async (after, { tx, scope }, before) => {
    if (after.state === 'left' && before.state !== 'left') {
      await endDuties(tx, scope, [after], '离职')
    }
  },
  afterDelete: (deleted, { tx, scope }) => endDuties(tx, scope, deleted, '资料已删除'),
  import: staffImport,
  export: exportStaff,
  pickers: [pickStaff],
})

export const staffListHandlers = [
  reads(listTicketSellers, (_, { db, scope }) =>
    findAll(db, staff, scope, {}, { where: [sql`t.is_ticket_seller`, employed], limit: 10_000 }),
  ),
  reads(listAllStaff, (_, { db, scope }) =>
    findAll(db, staff, scope, {}, { where: [employed], limit: 10_000 }),
  ),
]
