import { createRefSource } from '#kit/web/refs.ts'
import { pickGroups } from '../../contract/group.ts'

export default createRefSource(pickGroups, {
  value: group => group.id,
  label: group => group.groupName,
  disabledReason: group => (group.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
