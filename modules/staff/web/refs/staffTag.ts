import { createRefSource } from '#kit/web/refs.ts'
import { listStaffTags } from '../../contract/tag.ts'

export default createRefSource(listStaffTags, {
  value: t => t.name,
  label: t => t.name,
  inputFromContext: () => ({ size: 200 }),
})
