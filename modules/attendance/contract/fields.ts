import { idOf, lookup, ref, text, type Rule } from '#kit/contract/field.ts'

/** `HH:mm` */
export const clockRule: Rule = {
  name: 'clock',
  test: value => (/^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? undefined : '应为 24 小时制时间，如 08:30'),
  hint: '08:30',
}

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

/** Narrows a list to a department and those under it. */
export const departmentSearch = {
  departmentId: ref('部门', 'department', { wire: ['Departmentid', 'DepartmentID'] }),
}

export const groupSearch = {
  groupId: ref('考勤组', 'attendanceGroup', { wire: ['GroupID', 'GroupId'] }),
}

export const staffSearch = { staffId: idOf('员工', { wire: ['StaffId', 'StaffID'], min: 1 }) }
