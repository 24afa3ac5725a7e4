import { createRefSource } from '#kit/web/refs.ts'
import { listRoleOptions } from '../../contract/role.ts'

export default createRefSource(listRoleOptions, {
  value: r => r.id,
  label: r => r.roleName,
  note: r => r.roleDesc,
})
