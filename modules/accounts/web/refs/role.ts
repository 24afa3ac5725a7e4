import { refOf } from '#kit/web/refs.ts'
import { pickRoles } from '../../contract/role.ts'

export default refOf(pickRoles, { value: r => r.id, label: r => r.roleName, note: r => r.roleDesc })
