import { choiceTable } from '#kit/contract/field.ts'

export const staffState = choiceTable('StaffState', '员工状态', {
  active: [10, '在职', 'done'],
  trial: [20, '试用', 'doing'],
  left: [30, '离职', 'off'],
})

export const staffGender = choiceTable('StaffGender', '性别', {
  unknown: [0, '未知'],
  male: [1, '男'],
  female: [2, '女'],
})
