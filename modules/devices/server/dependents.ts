import { sql } from '#kit/server/db.ts'
import { registerDependentRows } from '#kit/server/dependents.ts'
import { removeEntries } from '#kit/server/directory.ts'
import { expireFiles } from '#kit/server/files.ts'
import { registerProjectChildren, registerProjectRemoval } from '#kit/server/project-removal.ts'
import type { Id } from '#kit/domain/id.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { PublicArea } from '#modules/estates/contract/public-area.ts'
import type { Device } from '../contract/device.ts'
import type { DeviceModel } from '../contract/device-model.ts'
import type { Gateway } from '../contract/gateway.ts'

// BASE-5
registerDependentRows(
  'estate',
  { label: '网关', table: 'gateway', where: (e: Estate) => sql`project_code = ${e.projectCode}` },
  { label: '设备', table: 'device', where: (e: Estate) => sql`project_code = ${e.projectCode}` },
)
registerDependentRows('building', {
  label: '设备',
  table: 'device',
  where: (b: Building) => sql`project_code = ${b.projectCode} and build_code = ${b.code}`,
})
registerDependentRows('publicArea', {
  label: '设备',
  table: 'device',
  where: (a: PublicArea) => sql`area_id = ${a.id}`,
})
registerDependentRows(
  'gateway',
  { label: '设备', table: 'device', where: (g: Gateway) => sql`gateway_id = ${g.id}` },
  { label: '看门狗', table: 'watchdog', where: (g: Gateway) => sql`target_gateway_id = ${g.id}` },
)
registerDependentRows('deviceModel', {
  label: '设备',
  table: 'device',
  where: (m: DeviceModel) => sql`model_id = ${m.id}`,
})
registerDependentRows('device', {
  label: '看门狗',
  table: 'watchdog',
  where: (d: Device) => sql`(device_id = ${d.id} or target_device_id = ${d.id})`,
})

registerProjectChildren(
  { table: 'gateway_key', parent: 'gateway', column: 'gateway_id' },
  { table: 'gateway_pairing', parent: 'gateway', column: 'gateway_id' },
  { table: 'remote_task_output', parent: 'remote_task', column: 'task_id' },
)

/** What the directory says of keys and codes goes with their gateways, whole outputs with their tasks. */
registerProjectRemoval(async (tx, { ownerId, time }, { projectCode }) => {
  const gateways = await tx.rows<{ id: Id }>(sql`
    select id from gateway where owner_id = ${ownerId} and project_code = ${projectCode}
  `)
  const ids = gateways.map(row => row.id)
  const keys = await removeEntries(tx, 'gateway_key', ownerId, ids)
  const outputs = await tx.rows<{ fileKey: string }>(sql`
    select o.file_key
    from remote_task_output o
    join remote_task t on t.id = o.task_id
    where o.owner_id = ${ownerId}
      and t.owner_id = ${ownerId}
      and t.project_code = ${projectCode}
      and o.file_key is not null
  `)
  const fileKeys = outputs.map(row => row.fileKey)
  await expireFiles(tx, ownerId, fileKeys, new Date(time))
  return keys + (await removeEntries(tx, 'gateway_code', ownerId, ids))
})
