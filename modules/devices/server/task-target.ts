import { invalidField, refuse } from '#kit/contract/wire.ts'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, requireByIds } from '#kit/server/table.ts'
import { device, type Device } from '../contract/device.ts'
import { gateway, type Gateway } from '../contract/gateway.ts'

/** The target of a command: a gateway's computer, or a device behind it. */
export interface TaskTarget {
  readonly gateway: Gateway
  readonly device: Device | undefined
}

export interface TargetInput {
  readonly gatewayIds?: readonly string[] | undefined
  readonly deviceIds?: readonly string[] | undefined
  readonly gateNos?: readonly string[] | undefined
  readonly devNos?: readonly string[] | undefined
}

const maxTargets = 200

const idsOf = (texts: readonly string[] = []): Id[] => [...new Set(texts.map(parseId))]

async function findGateways(
  tx: Tx,
  scope: Scope,
  { gatewayIds, gateNos = [] }: TargetInput,
): Promise<Gateway[]> {
  const byId = gatewayIds?.length ? await requireByIds(tx, gateway, scope, idsOf(gatewayIds)) : []
  if (!gateNos.length) return byId
  const byNo = await findAll(
    tx,
    gateway,
    scope,
    {},
    { where: [sql`t.gate_no = any(${[...gateNos]}::text[])`] },
  )
  return byNo.length === new Set(gateNos).size ? [...byId, ...byNo] : refuse('网关不存在，请重新选择')
}

async function findDevices(tx: Tx, scope: Scope, { deviceIds, devNos = [] }: TargetInput): Promise<Device[]> {
  const byId = deviceIds?.length ? await requireByIds(tx, device, scope, idsOf(deviceIds)) : []
  if (!devNos.length) return byId
  const byNo = await findAll(tx, device, scope, {}, { where: [sql`t.dev_no = any(${[...devNos]}::text[])`] })
  return byNo.length === new Set(devNos).size ? [...byId, ...byNo] : refuse('设备不存在，请重新选择')
}

/** All of the company's and inside the caller's data domain, or refused; each once. */
export async function findTargets(tx: Tx, scope: Scope, input: TargetInput): Promise<TaskTarget[]> {
  const gateways = await findGateways(tx, scope, input)
  const devices = await findDevices(tx, scope, input)
  const behind = await requireByIds(
    tx,
    gateway,
    scope,
    devices.map(row => row.gatewayId),
  )
  const gatewayOf = new Map([...gateways, ...behind].map(row => [row.id, row]))
  const targets = [
    ...gateways.map(row => ({ gateway: row, device: undefined })),
    ...devices.flatMap(row => {
      const own = gatewayOf.get(row.gatewayId)
      return own ? [{ gateway: own, device: row }] : []
    }),
  ]
  const byKey = new Map(targets.map(target => [`${target.gateway.id}:${target.device?.id ?? 0}`, target]))
  if (!byKey.size) throw invalidField('DeviceIds', '请选择网关或设备')
  if (byKey.size > maxTargets) throw invalidField('DeviceIds', `一次最多选择 ${maxTargets} 个目标`)
  return [...byKey.values()]
}
