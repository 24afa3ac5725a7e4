import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Device } from '#modules/devices/contract/device.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Resident } from '#modules/residents/contract/resident.ts'
import type { Staff } from '#modules/staff/contract/staff.ts'
import type { Elevator } from '../contract/elevator.ts'

const ofDevice = ({ id }: Device) => sql`device_id = ${id}`
const ofLift = ({ id }: Elevator) => sql`elevator_id = ${id}`

// BASE-5
registerDependentRows('estate', {
  label: '电梯',
  table: 'elevator',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})
registerDependentRows('building', {
  label: '电梯',
  table: 'elevator',
  where: ({ projectCode, code }: Building) => sql`project_code = ${projectCode} and build_code = ${code}`,
})
registerDependentRows(
  'device',
  { label: '电梯', table: 'elevator', where: ofDevice },
  { label: '困人报警', table: 'elevator_alarm', where: ofDevice },
)
registerDependentRows(
  'elevator',
  { label: '梯控权限', table: 'elevator_right', where: ofLift },
  { label: '维保记录', table: 'elevator_maintenance', where: ofLift },
  { label: '困人报警', table: 'elevator_alarm', where: ofLift },
)
registerDependentRows('resident', {
  label: '梯控权限',
  table: 'elevator_right',
  where: ({ id }: Resident) => sql`user_id = ${id}`,
})
registerDependentRows('staff', {
  label: '梯控权限',
  table: 'elevator_right',
  where: ({ id }: Staff) => sql`staff_id = ${id}`,
})
