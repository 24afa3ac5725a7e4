import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { addDaysToMoment, addMinutes, type Moment } from '#kit/domain/moment.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insertAll } from '#kit/server/table.ts'
import { deviceEvent } from '#modules/devices/contract/device-event.ts'
import { deviceFault } from '#modules/devices/contract/device-health.ts'
import { deviceItem } from '#modules/devices/contract/device-item.ts'
import { deviceModel } from '#modules/devices/contract/device-model.ts'
import { device } from '#modules/devices/contract/device.ts'
import { gateway } from '#modules/devices/contract/gateway.ts'
import { watchdog } from '#modules/devices/contract/watchdog.ts'
import { insertTasks } from '#modules/devices/server/task-insert.ts'
import { seedAccess } from './access.ts'
import { seedPassages } from './passages.ts'
import { seedVisitors } from './visitors.ts'
import { seedElevators } from './elevators.ts'
import { seedMoment } from './seed-day.ts'

interface DevicePlan {
  readonly project: string
  /** What gateways and devices of the project begin their numbers with. */
  readonly mark: string
  /** Buildings with a controller of their own. */
  readonly buildings: readonly string[]
  /** Sites with a computer. */
  readonly places: readonly string[]
}

const models = [
  {
    name: '门禁控制器',
    systemType: 'security',
    devType: 'access',
    driver: 'doorwaySimulator',
    maker: '样例',
  },
  { name: '车道控制器', systemType: 'parking', devType: 'lane', driver: 'simulator', maker: '样例' },
  { name: '水泵监测器', systemType: 'water', devType: 'pump', driver: 'simulator', maker: '样例' },
  { name: '电源看门狗', systemType: 'other', devType: 'watchdog', driver: 'watchdog', maker: '样例' },
  { name: '梯控控制器', systemType: 'elevator', devType: 'lift', driver: 'lift', maker: '样例' },
] as const

/** The models of a company. Returns their numbers in order. */
const seedDeviceModels = (tx: Tx, scope: Scope): Promise<Id[]> =>
  insertAll(
    tx,
    deviceModel,
    scope,
    models.map(model => ({ ...model, state: 'on' as const })),
  )

interface PutDevice {
  readonly name: string
  readonly model: number
  readonly gatewayId: Id
  readonly buildCode?: string
  readonly location: string
}

/** One controller for each building, and one of each other kind. */
const planDevices = ({ buildings, places }: DevicePlan, gateways: readonly Id[]): PutDevice[] => {
  const gatewayAt = (i: number): Id => defined(gateways[i % gateways.length])
  return [
    // All at the gateway that the demo runs an agent for.
    ...buildings.map(buildCode => ({
      name: `${buildCode} 大堂门禁`,
      model: 0,
      gatewayId: gatewayAt(0),
      buildCode,
      location: '一层大堂',
    })),
    { name: '地库入口道闸', model: 1, gatewayId: gatewayAt(0), location: '地库入口' },
    { name: '生活水泵', model: 2, gatewayId: gatewayAt(0), location: '地下一层水泵房' },
    {
      name: '弱电间看门狗',
      model: 3,
      gatewayId: gatewayAt(gateways.length - 1),
      location: places.at(-1) ?? '弱电间',
    },
  ]
}

async function seedFaults(
  tx: Tx,
  scope: Scope,
  common: { readonly projectCode: string; readonly gatewayId: Id },
  [first, second]: readonly [Id, Id],
  now: Moment,
): Promise<void> {
  await insertAll(tx, deviceFault, scope, [
    {
      ...common,
      deviceId: first,
      kind: 'reported',
      level: 'minor',
      faultCode: '门未关',
      title: '门未关',
      openTime: addMinutes(now, -30),
      count: 2,
      state: 'open',
    },
    {
      ...common,
      deviceId: second,
      kind: 'offline',
      level: 'major',
      title: '设备离线',
      openTime: addDaysToMoment(now, -2),
      closeTime: addDaysToMoment(now, -1),
      count: 1,
      state: 'recovered',
    },
  ])
}

/** What has happened: swipes, an open fault and one that is over, cards to be sent. */
async function seedHistory(
  tx: Tx,
  scope: Scope,
  { project }: DevicePlan,
  gatewayId: Id,
  [first, second]: readonly [Id, Id],
  now: Moment,
): Promise<void> {
  const projectCode = project
  const common = { projectCode, gatewayId }
  await insertAll(
    tx,
    deviceEvent,
    scope,
    Array.from({ length: 12 }, (_, i) => ({
      projectCode,
      gatewayId,
      deviceId: i % 2 ? second : first,
      seq: i + 1,
      type: i % 5 === 4 ? 'fault' : 'swipe',
      eventTime: addMinutes(now, -60 + i * 4),
      content: i % 5 === 4 ? '{"title":"门未关","level":3}' : `{"card":"${10_000 + i}"}`,
      state: 'handled' as const,
    })),
  )
  await seedFaults(tx, scope, common, [first, second], now)
  await insertAll(
    tx,
    deviceItem,
    scope,
    // None of them is there: no sample data has a device that holds something.
    Array.from({ length: 3 }, (_, i) => ({
      projectCode,
      deviceId: first,
      itemKey: `card:${10_000 + i}`,
      itemVersion: 1,
      action: 'put' as const,
      state: i < 2 ? ('waiting' as const) : ('failed' as const),
      attempts: i === 2 ? 2 : 0,
      nextTime: now,
      ...(i === 2 ? { reason: '存储已满' } : {}),
    })),
  )
  const task = { ...common, input: {}, reason: '网关离线，未下发' }
  await insertTasks(tx, scope, [
    { ...task, deviceId: 0, command: 'listProcesses' },
    { ...task, deviceId: 0, command: 'restartMachine', cmdData: '' },
    { ...task, deviceId: first, command: 'device', cmdData: 'openDoor' },
  ])
}

/** Returns the gateway that lifts are connected to. */
async function seedProject(tx: Tx, scope: Scope, modelIds: readonly Id[], plan: DevicePlan): Promise<Id> {
  const { project: projectCode, mark, places } = plan
  const now = seedMoment(scope)
  const gateways = await insertAll(
    tx,
    gateway,
    scope,
    places.map((location, i) => ({
      projectCode,
      gateNo: `${mark}GW${i + 1}`,
      name: `${location}网关`,
      location,
      state: 'unpaired' as const,
      isOnline: false,
      healthScore: 100,
    })),
  )
  const planned = planDevices(plan, gateways)
  const ids = await insertAll(
    tx,
    device,
    scope,
    planned.map(({ model, ...row }, i) => ({
      ...row,
      projectCode,
      devNo: `${mark}D${i + 1}`,
      modelId: defined(modelIds[model]),
      address: `192.168.1.${20 + i}:4370`,
      // Somebody passes the simulated doors now and then.
      settings: model === 0 ? [{ key: 'eventEveryMs', value: String(30_000 * (i + 1)) }] : [],
      state: i === 0 ? ('faulty' as const) : ('normal' as const),
      isOnline: false,
      healthScore: i === 0 ? 90 : 100,
    })),
  )
  await seedHistory(tx, scope, plan, defined(gateways[0]), [defined(ids[0]), defined(ids[1])], now)
  await insertAll(tx, watchdog, scope, [
    {
      projectCode,
      name: '水泵房看护',
      deviceId: defined(ids.at(-1)),
      targetGatewayId: defined(gateways[0]),
      targetDeviceId: defined(ids.at(-2)),
      checkSeconds: 60,
      missLimit: 3,
      action: 'restartService',
      serviceName: 'pump-driver',
      state: 'off',
      missCount: 0,
      restartCount: 0,
    },
  ])
  return defined(gateways[0])
}

interface PlacedEstate {
  readonly projectCode: string
  readonly buildings: readonly { readonly code: string }[]
}

/** The gateway that `npm start` pairs an agent of simulated devices with (tools/demo-agent.ts). */
export const demoGatewayNo = 'P1GW1'

/**
 * Gateways that nobody has paired yet, with their devices: no sample data has computers on site. What came
 * through the doors ends with `nowMs`.
 */
export async function seedDevices(
  tx: Tx,
  scope: Scope,
  estates: readonly PlacedEstate[],
  nowMs = Date.parse(scope.time),
): Promise<void> {
  const modelIds = await seedDeviceModels(tx, scope)
  for (const [i, { projectCode, buildings }] of estates.entries()) {
    const mark = `P${i + 1}`
    const gatewayId = await seedProject(tx, scope, modelIds, {
      project: projectCode,
      mark,
      buildings: buildings.map(building => building.code),
      places: ['监控室', '弱电间', '地库岗亭'],
    })
    await seedAccess(tx, scope, projectCode)
    await seedPassages(tx, scope, projectCode, nowMs)
    await seedVisitors(tx, scope, projectCode, i)
    await seedElevators(tx, scope, { projectCode, mark, modelId: defined(modelIds[4]), gatewayId })
  }
}
