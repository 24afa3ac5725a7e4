import { withReason } from '#kit/web/acts.ts'
import { deleteResidents, type Resident } from '../contract/resident.ts'

export const removeResidents = withReason<Resident>(deleteResidents, {
  what: '位住户',
  name: r => r.name,
  follows: ['在住、有账单或有门禁卡的住户不能删除'],
  presets: ['录入有误', '重复录入'],
})
