import type { Day } from '#kit/domain/day.ts'
import { audit } from '#kit/server/audit.ts'
import { defineImport, type LineFault, type WrittenLine } from '#kit/server/crud-import.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import type { SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { staffState } from '../contract/labels.ts'
import { importStaff, staff, staffs, type Staff } from '../contract/staff.ts'
import { leaveDateFaults } from '../domain/leaving.ts'
import { loadFlatDepartments } from './department.ts'
import { endDuties } from './staff-leaving.ts'

type Line = SheetLineOf<typeof importStaff>

/** As the form asks for it; who has left already keeps the day that is stored. */
function leavingFaults(row: Partial<Line>, existing: Staff | undefined, today: Day): LineFault[] {
  const stored = existing?.state === 'left' ? existing.leaveDate : undefined
  const leaveDate = row.leaveDate ?? stored
  const entryDate = row.entryDate ?? existing?.entryDate
  return leaveDateFaults({ state: row.state, leaveDate, entryDate }, today).map(message => ({
    column: 'leaveDate',
    message,
    remedy: '核对状态、入职日期和离职日期',
  }))
}

/** Lines that say somebody has left end what the button ends, and say so in the history of each. */
async function endWork(tx: Tx, scope: Scope, leaving: readonly WrittenLine<Line, Staff>[]): Promise<void> {
  await audit(
    tx,
    scope,
    leaving.map(({ id, existing, values }) => ({
      action: 'state',
      entity: staff.name,
      entityId: id,
      before: { state: existing?.state, leaveDate: existing?.leaveDate },
      after: { state: 'left', leaveDate: values.leaveDate ?? existing?.leaveDate },
      reason: '离职（导入）',
    })),
  )
  await endDuties(tx, scope, leaving, '离职（导入）')
}

export const staffImport = defineImport(staffs, importStaff, {
  match: ['staffNo', 'mobile'],
  matchWhere: { mobile: sql`t.state <> ${code(staffState, 'left')}` },
  templateOptions: async (db, { scope }) => ({
    departmentId: (await loadFlatDepartments(db, scope.ownerId)).map(d => d.name),
  }),
  load: (db, { scope }) => loadFlatDepartments(db, scope.ownerId),
  references: {
    departmentId: (name, departments) => departments.filter(d => d.name === name).map(d => d.id),
  },
  rules: (row, existing, { existingBy, request: { today } }) => {
    const faults = leavingFaults(row, existing, today)
    if (!existing) return faults
    if (existing.name !== row.name) {
      faults.push({
        column: row.staffNo && existing.staffNo === row.staffNo ? 'staffNo' : 'mobile',
        message: `已登记为「${existing.name}」`,
        remedy: '核对姓名、工号和手机',
      })
    }
    const other = existingBy('mobile', row.mobile)
    if (other && other.id !== existing.id) {
      faults.push({ column: 'mobile', message: `该手机号是「${other.name}」的`, remedy: '核对手机号' })
    }
    return faults
  },
  afterWrite: (tx, { existing }, { request: { scope } }) =>
    endWork(
      tx,
      scope,
      existing.filter(
        line => line.changed && line.values.state === 'left' && line.existing?.state !== 'left',
      ),
    ),
  texts: { duplicate: '工号或手机号与其他员工重复' },
})
