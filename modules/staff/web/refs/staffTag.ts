import { createRefSource } from '#kit/web/refs.ts'
import { staffTags } from '../../contract/tag.ts'

export default createRefSource(staffTags.list, {
  value: t => t.name,
  label: t => t.name,
  inputFromContext: () => ({ size: 200 }),
})
