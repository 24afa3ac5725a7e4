import { createRefSource } from '#kit/web/refs.ts'
import { schedules } from '../../contract/schedule.ts'

export default createRefSource(schedules.list, {
  value: row => row.id,
  label: row => row.planName,
  note: row => row.schedule,
})
