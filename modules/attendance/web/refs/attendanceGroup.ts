import { createRefSource } from '#kit/web/refs.ts'
import { groups } from '../../contract/group.ts'

export default createRefSource(groups.list, {
  value: row => row.id,
  label: row => row.groupName,
})
