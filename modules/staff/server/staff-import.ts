import { defineImport } from '#kit/server/crud-import.ts'
import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { importStaff, staffs } from '../contract/staff.ts'
import { staffState } from '../contract/labels.ts'
import { loadFlatDepartments } from './department.ts'
import { endDuties } from './staff-leaving.ts'

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
  rules: (row, existing, { existingBy }) => {
    if (!existing) return []
    const faults = []
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
  // A line that says somebody has left ends what the button ends.
  afterWrite: (tx, { existing }, { request: { scope } }) =>
    endDuties(
      tx,
      scope,
      existing.filter(
        line => line.changed && line.values.state === 'left' && line.existing?.state !== 'left',
      ),
      '离职（导入）',
    ),
  texts: { duplicate: '工号或手机号与其他员工重复' },
})
