import { createReasonAction } from '#kit/web/record-actions.ts'
import { deleteResidents, type Resident } from '../contract/resident.ts'

export const deleteResidentsAction = createReasonAction<Resident>(deleteResidents, {
  unit: '位住户',
  nameOf: r => r.name,
  consequences: ['在住、有账单或有门禁卡的住户不能删除'],
  reasonPresets: ['录入有误', '重复录入'],
})
