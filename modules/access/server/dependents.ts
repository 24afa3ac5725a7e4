import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Device } from '#modules/devices/contract/device.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import type { Resident } from '#modules/residents/contract/resident.ts'
import type { Staff } from '#modules/staff/contract/staff.ts'
import type { Doorway } from '../contract/doorway.ts'

const named = (id: Id) => sql`${String(id)} = any(doorway_ids)`

// BASE-5
registerDependentRows(
  'estate',
  {
    label: '门',
    table: 'doorway',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
  {
    label: '可视对讲设备',
    table: 'intercom',
    where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
  },
)
registerDependentRows(
  'building',
  {
    label: '门',
    table: 'doorway',
    where: ({ projectCode, code }: Building) => sql`project_code = ${projectCode} and build_code = ${code}`,
  },
  {
    label: '门组',
    table: 'doorway_group',
    where: ({ projectCode, code }: Building) =>
      sql`project_code = ${projectCode} and ${code} = any(build_codes)`,
  },
  {
    label: '可视对讲设备',
    table: 'intercom',
    where: ({ projectCode, code }: Building) => sql`project_code = ${projectCode} and build_code = ${code}`,
  },
)
registerDependentRows(
  'device',
  { label: '门禁设备', table: 'doorway_device', where: ({ id }: Device) => sql`device_id = ${id}` },
  { label: '可视对讲设备', table: 'intercom', where: ({ id }: Device) => sql`device_id = ${id}` },
)
registerDependentRows('room', {
  label: '可视对讲设备',
  table: 'intercom',
  where: ({ id }: Room) => sql`room_id = ${id}`,
})
registerDependentRows(
  'doorway',
  { label: '门禁设备', table: 'doorway_device', where: ({ id }: Doorway) => sql`doorway_id = ${id}` },
  { label: '门组', table: 'doorway_group', where: ({ id }: Doorway) => named(id) },
  { label: 'VIP 门', table: 'vip_doorway', where: ({ id }: Doorway) => named(id) },
  { label: '常开时段', table: 'doorway_public_time', where: ({ id }: Doorway) => sql`doorway_id = ${id}` },
  { label: '可视对讲设备', table: 'intercom', where: ({ id }: Doorway) => sql`doorway_id = ${id}` },
)
registerDependentRows('resident', {
  label: 'VIP 门',
  table: 'vip_doorway',
  where: ({ id }: Resident) => sql`user_id = ${id}`,
})
registerDependentRows('staff', {
  label: 'VIP 门',
  table: 'vip_doorway',
  where: ({ id }: Staff) => sql`staff_id = ${id}`,
})
