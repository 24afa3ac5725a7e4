import type { FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { codes, notDeleted } from '#kit/server/sql.ts'
import { findByIds, requireById, update } from '#kit/server/table.ts'
import { building } from '#modules/estates/contract/building.ts'
import { publicArea } from '#modules/estates/contract/public-area.ts'
import { itemState } from '../contract/choices.ts'
import {
  device,
  devices,
  pickDevices,
  replaceDevice,
  resendDeviceItems,
  type Device,
} from '../contract/device.ts'
import { deviceModel } from '../contract/device-model.ts'
import { gateway } from '../contract/gateway.ts'
import { withLastBeats } from './device-beat.ts'
import { notifyAgent } from './device-hub.ts'
import { resendItems } from './item-set.ts'
import { projectFaults } from './project-fault.ts'

type DeviceDraft = Pick<Device, 'projectCode' | 'gatewayId' | 'modelId' | 'settings'>

/** Its gateway stands in the same project, its model is the company's, no setting is given twice. */
async function deviceFaults(
  draft: DeviceDraft,
  c: WriteContext,
  before: Device | undefined,
): Promise<FieldFault[]> {
  const { tx, scope } = c
  const projectCode = before?.projectCode ?? draft.projectCode
  const [foundGateway] = await findByIds(tx, gateway, scope, [draft.gatewayId])
  const [foundModel] = await findByIds(tx, deviceModel, scope, [draft.modelId])
  const keys = (draft.settings ?? []).map(({ key }) => key)
  const faults: (readonly [isWrong: boolean, field: string, message: string])[] = [
    [foundGateway?.projectCode !== projectCode, 'GatewayID', '网关不存在或不属于该项目，请重新选择'],
    [!foundModel, 'ModelID', '型号不存在，请重新选择'],
    [new Set(keys).size !== keys.length, 'Settings', '驱动参数重复'],
  ]
  return [
    ...(await projectFaults({ projectCode }, c, before)),
    ...faults.filter(([isWrong]) => isWrong).map(([, Field, Message]) => ({ Field, Message })),
  ]
}

const unsynced = sql`state in ${codes(itemState, 'waiting', 'failed', 'removing')}`

async function withUnsyncedCounts(rows: readonly Device[], { db, scope }: CrudContext): Promise<Device[]> {
  const counts = await db.rows<{ deviceId: Id; count: number }>(sql`
    select device_id, count(*)::integer as count
    from device_item
    where owner_id = ${scope.ownerId} and device_id = any(${rows.map(row => row.id)}::bigint[]) and ${unsynced}
    group by device_id
  `)
  const countOf = new Map(counts.map(row => [row.deviceId, row.count]))
  return rows.map(row => ({ ...row, unsyncedCount: countOf.get(row.id) ?? 0 }))
}

/** The agents that drive it now or did before hear of it. */
const notifyGateways = async (
  rows: readonly Pick<Device, 'gatewayId'>[],
  { tx }: WriteContext,
): Promise<void> => {
  for (const gatewayId of new Set(rows.map(row => row.gatewayId))) {
    notifyAgent(tx, gatewayId, { kind: 'devices' })
  }
}

const driverFilter = (driver: string | undefined, { scope }: CrudContext): RawBuilder<unknown>[] =>
  driver === undefined
    ? []
    : [
        sql`exists (
          select 1
          from device_model m
          where m.owner_id = ${scope.ownerId} and m.id = t.model_id and m.driver = ${driver} and ${notDeleted('m')}
        )`,
      ]

export const deviceServer = crudHandlers(devices, {
  codes: { devNo: 'D' },
  unique: { device_no_live: '公司内已有此设备号，请更换' },
  fixed: ['projectCode', 'devNo'],
  pickers: [pickDevices],
  references: {
    buildCode: { entity: building, missing: '楼栋不存在或不属于该项目' },
    areaId: { entity: publicArea, missing: '公共区域不存在或不属于该项目' },
  },
  check: deviceFaults,
  filter: (q: { readonly driver?: string }, c) => driverFilter(q.driver, c),
  enrich: async (rows, c) => withLastBeats(await withUnsyncedCounts(rows, c), c.db, c.scope.ownerId),
  afterInsert: (row, c) => notifyGateways([row], c),
  afterUpdate: (row, c, before) => notifyGateways([row, before], c),
  afterDelete: async (rows, c) => {
    await c.tx.execute(sql`
      delete from device_item
      where owner_id = ${c.scope.ownerId} and device_id = any(${rows.map(row => row.id)}::bigint[])
    `)
    await notifyGateways(rows, c)
  },
})

export const deviceHandlers = [
  writes(replaceDevice, async ({ id, identity, address, reason }, c) => {
    const { tx, scope } = c
    const found = await requireById(tx, device, scope, id, { lock: true })
    await update(
      tx,
      device,
      scope,
      id,
      { identity, kernelVersion: undefined, ...(address === undefined ? {} : { address }) },
      { reason },
    )
    await resendItems(tx, scope, id)
    await notifyGateways([found], c)
  }),
  writes(resendDeviceItems, async ({ id, keys }, { tx, scope }) => {
    await requireById(tx, device, scope, id)
    await resendItems(tx, scope, id, keys)
  }),
]
