import { sql } from '#kit/server/db.ts'
import { notDeleted } from '#kit/server/sql.ts'
import { device } from '#modules/devices/contract/device.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { registerWorkTargets, type WorkTarget } from './kinds.ts'
import { targetFilter, targetLimit } from './target-filter.ts'

registerWorkTargets('publicArea', {
  entity: publicArea.name,
  label: '公共区域',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select t.id, t.name, t.project_code
      from public_area t
      where t.owner_id = ${ownerId} and ${notDeleted('t')} and ${targetFilter(publicArea, condition, sql`t.name`)}
      order by t.name, t.id
      limit ${targetLimit(condition)}
    `),
})

registerWorkTargets('device', {
  entity: device.name,
  label: '设备',
  load: (db, { ownerId }, condition) =>
    db.rows<WorkTarget>(sql`
      select t.id, t.name, t.project_code
      from device t
      where t.owner_id = ${ownerId} and ${notDeleted('t')} and ${targetFilter(device, condition, sql`t.name`)}
      order by t.name, t.id
      limit ${targetLimit(condition)}
    `),
})
