import { createRefSource } from '#kit/web/refs.ts'
import { listManagerOptions } from '../../contract/manager.ts'

export default createRefSource(listManagerOptions, {
  value: m => m.id,
  label: m => m.realName,
  note: m => m.loginCode,
})
