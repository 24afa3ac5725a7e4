import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { addDaysToMoment, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { publicAreas } from '#modules/estates/contract/public-area.ts'
import { golden } from '#db/golden/golden-data.ts'
import { closeDeviceFaults, getDeviceHealth, listDeviceFaults } from '../contract/device-health.ts'
import { exportDeviceEvents, listDeviceEvents, retryDeviceEvent } from '../contract/device-event.ts'
import { listDeviceItems } from '../contract/device-item.ts'
import {
  findDeviceNames,
  findPushTargets,
  listOnlineDevices,
  listOnlineGateways,
} from '../contract/device-lookup.ts'
import { deviceModels, pickDeviceModels } from '../contract/device-model.ts'
import {
  downloadAuditOutput,
  listCommandAudit,
  listCommandHolders,
  listGatewayKeys,
} from '../contract/device-security.ts'
import {
  addDevice,
  deleteDevices,
  editDevice,
  getDevice,
  listDevices,
  pickDevices,
  replaceDevice,
  resendDeviceItems,
  type Device,
} from '../contract/device.ts'
import {
  addGateway,
  createPairingCode,
  deleteGateways,
  editGateway,
  getGateway,
  listGateways,
  pickGateways,
  revokeGateway,
} from '../contract/gateway.ts'
import { contract } from '../contract/index.ts'
import {
  cancelRemoteTasks,
  downloadTaskOutput,
  getRemoteTask,
  listRemoteTasks,
  sendRemoteTask,
} from '../contract/remote-task.ts'
import {
  addWatchdog,
  deleteWatchdogs,
  editWatchdog,
  getWatchdog,
  listWatchdogs,
} from '../contract/watchdog.ts'
import { DeviceServers, type Clerk } from './device-servers.fixtures.ts'

/** `limited` has one building of the project; `inside` is a device of it, `outside` one of another. */
let s: DeviceServers
let owner: Clerk
let limited: Clerk
let inside: Device
let outside: Device
const projectCode = golden.estates[0]

beforeAll(async () => {
  s = await DeviceServers.open()
  owner = await s.signIn()
  limited = await s.signIn(golden.first.buildingOnly)
  const { rows } = await s.call(listDevices, { projectCode, size: 100 }, owner)
  inside = defined(rows.find(row => row.buildCode === 'B1'))
  outside = defined(rows.find(row => row.buildCode === 'B2'))
  await seed()
})

afterAll(() => s?.close())

/** Of every kind one row more of the device outside, of the one without a building, and of the gateway. */
const seed = (): Promise<void> =>
  s.app.database.tx(s.ownerId, async tx => {
    const common = sql`${s.ownerId}::bigint, ${projectCode}::text, ${outside.gatewayId}::bigint`
    const of = sql`unnest(${[0, inside.id, outside.id]}::bigint[]) as r(id)`
    await tx.execute(sql`
      insert into device_event (
        owner_id, project_code, gateway_id, device_id, seq, type, event_time, content, state, create_time
      )
      select ${common}, r.id, 1000 + r.id, 'late', ${new Date()}::timestamptz, '{}', 20, ${new Date()}::timestamptz
      from ${of}
      returning id
    `)
    await tx.execute(sql`
      insert into device_fault (owner_id, project_code, gateway_id, device_id, kind, level, title, open_time)
      select ${common}, r.id, 50, 2, '测试', ${new Date()}::timestamptz
      from ${of}
      returning id
    `)
    await tx.execute(sql`
      insert into device_item (owner_id, project_code, device_id, item_key, item_version, action, state, next_time)
      values (
        ${s.ownerId}, ${projectCode}, ${outside.id}, 'card:outside', 1, 10, 10, ${new Date()}
      )
    `)
    await tx.execute(sql`
      insert into remote_task (
        owner_id, project_code, gateway_id, device_id, task_no, cmd_type, run_input, run_timeout, operator_id,
        operator_name, send_time, deadline, is_dangerous
      )
      select ${common}, r.id, 'domain-' || r.id, 10, '{}'::jsonb, 60000, 1, '测试', ${new Date()}::timestamptz,
        ${new Date(Date.now() + 3_600_000)}::timestamptz, true
      from ${of}
      returning id
    `)
    await tx.execute(sql`
      insert into watchdog (
        owner_id, project_code, name, device_id, target_gateway_id, target_device_id, check_seconds, miss_limit,
        action, state
      )
      select ${s.ownerId}::bigint, ${projectCode}::text, '看护' || r.id, ${inside.id}::bigint,
        ${outside.gatewayId}::bigint, nullif(r.id, 0), 60, 3, 10, 20
      from ${of}
      returning id
    `)
  })

const idIn = async (table: string, where: ReturnType<typeof sql>): Promise<Id> => {
  const row = await s.app.database
    .reader(s.ownerId)
    .one<{ id: Id }>(
      sql`select id from ${sql.table(table)} where owner_id = ${s.ownerId} and ${where} order by id desc limit 1`,
    )
  return asId(defined(row).id)
}

const ofDevice = (table: string, deviceId: Id): Promise<Id> => idIn(table, sql`device_id = ${deviceId}`)

const query = { projectCode, size: 200 }
const lists: readonly (readonly [call: Call, devicesIn: (clerk: Clerk) => Promise<(Id | undefined)[]>])[] = [
  [
    listDeviceEvents,
    async clerk => (await s.call(listDeviceEvents, query, clerk)).rows.map(row => row.deviceId),
  ],
  [
    listDeviceFaults,
    async clerk => (await s.call(listDeviceFaults, query, clerk)).rows.map(row => row.deviceId),
  ],
  [
    listDeviceItems,
    async clerk => (await s.call(listDeviceItems, query, clerk)).rows.map(row => row.deviceId),
  ],
  [
    listRemoteTasks,
    async clerk => (await s.call(listRemoteTasks, query, clerk)).rows.map(row => row.deviceId),
  ],
  [
    listCommandAudit,
    async clerk => (await s.call(listCommandAudit, query, clerk)).rows.map(row => row.deviceId),
  ],
  [
    listWatchdogs,
    async clerk => (await s.call(listWatchdogs, query, clerk)).rows.map(row => row.targetDeviceId),
  ],
  [listDevices, async clerk => (await s.call(listDevices, query, clerk)).rows.map(row => row.id)],
]

it.each(lists.map(([call, devicesIn]) => [call.route, devicesIn] as const))(
  '%s lists what is about devices of the permitted buildings alone (PERM-6)',
  async (_, devicesIn) => {
    expect([...new Set(await devicesIn(limited))]).toEqual([inside.id])
    expect(new Set(await devicesIn(owner)).size).toBeGreaterThan(1)
  },
)

it('pickers, lookups and counts know devices of the permitted buildings alone (PERM-6)', async () => {
  await s.app.database.tx(s.ownerId, tx =>
    tx.execute(sql`update device set is_online = true, kernel_version = '1' where owner_id = ${s.ownerId}`),
  )
  const gateways = await s.call(listGateways, { projectCode, size: 100 }, limited)
  const gateNos = gateways.rows.map(row => row.gateNo ?? '')
  const found = [
    (await s.call(pickDevices, { projectCode }, limited)).rows.map(row => row.devNo),
    (await s.call(findDeviceNames, { projectCode, gateNos }, limited)).map(row => row.devNo),
    (await s.call(findPushTargets, { projectCode, target: inside.devType ?? '' }, limited)).map(
      row => row.devNo,
    ),
    (await Promise.all(gateNos.map(gateNo => s.call(listOnlineDevices, { projectCode, gateNo }, limited))))
      .flat()
      .map(row => row.devNo),
  ]
  expect(found).toEqual(found.map(() => [inside.devNo]))
  expect(gateways.rows.reduce((sum, row) => sum + (row.deviceCount ?? 0), 0)).toBe(1)
  expect(await s.call(listGatewayKeys, { projectCode }, limited)).toEqual([])
  const health = await s.call(getDeviceHealth, { projectCode }, limited)
  const { rows: openFaults } = await s.call(listDeviceFaults, { projectCode, state: ['open'] }, limited)
  const sendTimeFrom = addDaysToMoment(fromInstant(s.now()), -7)
  const { total: taskCount } = await s.call(listRemoteTasks, { projectCode, sendTimeFrom }, limited)
  expect(health).toMatchObject({
    deviceCount: 1,
    openFaultCount: openFaults.length,
    faultyDeviceCount: 1,
    unsyncedItemCount: 3,
    taskCount,
  })
})

it('an export has the rows of its list (PERM-6)', async () => {
  const { total } = await s.call(listDeviceEvents, query, limited)
  const cells = await s.exportedCells(
    exportDeviceEvents.get,
    { projectCode, columns: ['type', 'content'] },
    limited,
  )
  // The last line is the totals.
  expect(cells.slice(0, -1)).toHaveLength(defined(total))
})

it('one record outside the permitted buildings is neither read nor acted on (PERM-6)', async () => {
  const reason = '测试'
  const { gatewayId } = outside
  const gateway = await s.call(getGateway, { id: gatewayId }, owner)
  const watchdogId = await idIn('watchdog', sql`target_device_id = ${outside.id}`)
  const whole = await idIn('watchdog', sql`target_device_id is null`)
  const own = await idIn('watchdog', sql`target_device_id = ${inside.id}`)
  const watchdog = await s.call(getWatchdog, { id: own }, limited)
  const outsideOnes: readonly Id[] = [outside.id, 0]
  const refused: [string, () => Promise<unknown>][] = [
    ...outsideOnes.flatMap((deviceId): [string, () => Promise<unknown>][] => [
      [
        getRemoteTask.route,
        async () => s.call(getRemoteTask, { id: await ofDevice('remote_task', deviceId) }, limited),
      ],
      ...[downloadTaskOutput, downloadAuditOutput].map((call): [string, () => Promise<unknown>] => [
        call.route,
        async () =>
          s.call<{ id: Id }, unknown>(call, { id: await ofDevice('remote_task', deviceId) }, limited),
      ]),
      [
        cancelRemoteTasks.route,
        async () =>
          s.call(cancelRemoteTasks, { ids: [String(await ofDevice('remote_task', deviceId))] }, limited),
      ],
      [
        closeDeviceFaults.route,
        async () =>
          s.call(
            closeDeviceFaults,
            { ids: [String(await ofDevice('device_fault', deviceId))], reason },
            limited,
          ),
      ],
      [
        retryDeviceEvent.route,
        async () => s.call(retryDeviceEvent, { id: await ofDevice('device_event', deviceId) }, limited),
      ],
    ]),
    [getWatchdog.route, () => s.call(getWatchdog, { id: watchdogId }, limited)],
    [getWatchdog.route, () => s.call(getWatchdog, { id: whole }, limited)],
    [editWatchdog.route, () => s.call(editWatchdog, { ...watchdog, id: watchdogId }, limited)],
    [editWatchdog.route, () => s.call(editWatchdog, watchdog, limited)],
    [addWatchdog.route, () => s.call(addWatchdog, { ...watchdog, name: '另一个' }, limited)],
    [deleteWatchdogs.route, () => s.call(deleteWatchdogs, { ids: [String(own)], reason }, limited)],
    [getDevice.route, () => s.call(getDevice, { id: outside.id }, limited)],
    [editDevice.route, () => s.call(editDevice, outside, limited)],
    [deleteDevices.route, () => s.call(deleteDevices, { ids: [String(outside.id)], reason }, limited)],
    [replaceDevice.route, () => s.call(replaceDevice, { id: outside.id, identity: 'x', reason }, limited)],
    [resendDeviceItems.route, () => s.call(resendDeviceItems, { id: outside.id }, limited)],
    [
      sendRemoteTask.route,
      () =>
        s.call(
          sendRemoteTask,
          { deviceIds: [String(outside.id)], cmdType: 'device', cmdData: 'open' },
          limited,
        ),
    ],
    [
      sendRemoteTask.route,
      () => s.call(sendRemoteTask, { gatewayIds: [String(gatewayId)], cmdType: 'listProcesses' }, limited),
    ],
    // What runs on the gateway's computer, though a device of one's own is named.
    [
      sendRemoteTask.route,
      () => s.call(sendRemoteTask, { deviceIds: [String(inside.id)], cmdType: 'listProcesses' }, limited),
    ],
    [addGateway.route, () => s.call(addGateway, { projectCode, name: '新网关' }, limited)],
    [editGateway.route, () => s.call(editGateway, gateway, limited)],
    [deleteGateways.route, () => s.call(deleteGateways, { ids: [String(gatewayId)], reason }, limited)],
    [createPairingCode.route, () => s.call(createPairingCode, { id: gatewayId }, limited)],
    [revokeGateway.route, () => s.call(revokeGateway, { id: gatewayId, reason }, limited)],
  ]
  for (const [route, attempt] of refused) {
    await expect(attempt(), route).rejects.toMatchObject({ code: resultCode.forbidden })
  }
  const actedOn = new Set(refused.map(([route]) => route))
  const elsewhere = [
    ...lists.map(([call]) => call),
    // Both write the rows of the list.
    ...exportDeviceEvents.calls,
    addDevice,
    pickDevices,
    pickGateways,
    findDeviceNames,
    findPushTargets,
    listOnlineDevices,
    listOnlineGateways,
    listGateways,
    getGateway,
    getDeviceHealth,
    listGatewayKeys,
    // Of the company, of no project.
    listCommandHolders,
    ...deviceModels.calls,
    pickDeviceModels,
  ]
  const checked = new Set([...actedOn, ...elsewhere.map(call => call.route)])
  expect(contract.calls.map(call => call.route).filter(route => !checked.has(route))).toEqual([])
})

it('what is about a device of a permitted building is open (PERM-6)', async () => {
  const ids = [String(await ofDevice('device_fault', inside.id))]
  await s.call(closeDeviceFaults, { ids, reason: '已修复' }, limited)
  await s.call(retryDeviceEvent, { id: await ofDevice('device_event', inside.id) }, limited)
  expect(
    await s.call(getRemoteTask, { id: await ofDevice('remote_task', inside.id) }, limited),
  ).toMatchObject({ deviceId: inside.id })
})

it('a device is where there is a building or an area, in its own project', async () => {
  const draft = { ...outside, devNo: undefined, name: '新设备' }
  const elsewhere = await s.call(
    publicAreas.add,
    { projectCode: golden.estates[1], name: '别处', areaType: 'other', rentState: 'vacant' },
    { ...owner, projectCode: golden.estates[1] },
  )
  for (const place of [{ buildCode: 'NOSUCH' }, { areaId: asId(99_999) }, { areaId: elsewhere.id }]) {
    const refusal = {
      code: resultCode.invalidInput,
      message: expect.stringMatching(/不存在|不属于所选项目/),
    }
    await expect(s.call(addDevice, { ...draft, ...place }, owner)).rejects.toMatchObject(refusal)
    await expect(s.call(editDevice, { ...outside, ...place }, owner)).rejects.toMatchObject(refusal)
  }
})

it('a project that is not the caller’s is refused, not answered as empty', async () => {
  const elsewhere = { projectCode: golden.estates[1] }
  const asked: readonly (() => Promise<unknown>)[] = [
    () => s.call(getDeviceHealth, elsewhere, limited),
    () => s.call(listGatewayKeys, elsewhere, limited),
    () => s.call(listCommandAudit, elsewhere, limited),
    () => s.call(findPushTargets, { target: 'smart', ...elsewhere }, limited),
  ]
  for (const ask of asked) {
    await expect(ask()).rejects.toMatchObject({ code: resultCode.forbidden })
  }
})
