import { list, lookup, ref, text } from '#kit/contract/field.ts'
import { idRule } from '#kit/contract/shape.ts'

/** The person that a row is about, with what people call them. */
export const staffFields = {
  staffId: ref('员工', 'staff', {
    required: true,
    immutable: true,
    wire: ['StaffId', 'StaffID'],
    hiddenIn: ['table', 'detail', 'sheet'],
  }),
  staffName: lookup('姓名', 'staffId', 'name', { searchable: true, wire: 'StaffName' }),
  staffNo: lookup('工号', 'staffId', 'staffNo', { searchable: true, wire: 'StaffNo' }),
}

/** Answered beside a person: no field of the row itself. */
export const departmentNameField = text('部门', {
  derived: true,
  wire: ['Departmentname', 'DepartMentName'],
  hiddenIn: ['form', 'filter', 'sheet'],
})

/** Any of several records, by their ids: as the filters of a list ask. */
const anyOf = (label: string, target: string, wire: readonly string[]) => ({
  ...list(label, { max: 200, rule: idRule, wire }),
  target,
  targetBy: 'id' as const,
})

/** Narrows a list to departments and those under them. */
export const departmentSearch = {
  departmentId: anyOf('部门', 'department', ['Departmentid', 'DepartmentID']),
}

export const groupSearch = { groupId: anyOf('考勤组', 'attendanceGroup', ['GroupID', 'GroupId']) }
