import { createRefSource } from '#kit/web/refs.ts'
import { shifts } from '../../contract/shift.ts'

export default createRefSource(shifts.list, {
  value: row => row.id,
  label: row => row.shiftName,
  note: row => row.times,
})
