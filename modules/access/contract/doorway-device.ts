import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, flag, idOf, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { listOfRows, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { openRole, passageDirection } from './choices.ts'

/** What a device itself is set to (EccOpenDoor). */
const parameterFields = {
  openRoles: choices('开门角色', openRole, {
    wire: 'RoleJson',
    help: '设备只存这些人员的凭证；不选为全部',
  }),
  antennaNo: int('天线号', { min: 1, max: 4, help: '此门接在控制器的第几路；不填为 1' }),
  volume: int('音量', { min: 0, max: 10, help: '0 至 10，0 为静音；不填则不更改设备' }),
  threshold: int('识别阈值', { min: 0, max: 100, help: '0 至 100，越高越严；不填则不更改设备' }),
} as const

const ofParameters = { hiddenIn: ['table', 'form', 'filter', 'sheet'] } as const

const reported = { derived: true, hiddenIn: ['form', 'filter', 'sheet'] } as const

/** A reader, panel or controller of a door: a door may have several, a device serves one door. */
export const doorwayDevice = entity(
  'doorwayDevice',
  '门禁设备',
  { table: 'doorway_device', tenancy: 'project', title: 'deviceName', order: ['doorwayId', 'id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('doorwayId'),
    doorwayId: ref('门', 'doorway', {
      required: true,
      immutable: true,
      wire: ['DoorwayID', 'DoorwayId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    doorwayName: lookup('门', 'doorwayId', 'doorwayName', { wire: 'DoorName' }),
    deviceId: ref('设备', 'device', {
      required: true,
      immutable: true,
      wire: ['DeviceID', 'DeviceId'],
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    deviceName: lookup('设备', 'deviceId', 'name', { wire: 'DevName', searchable: true }),
    deviceNo: lookup('设备号', 'deviceId', 'devNo', { wire: 'DeviceNo' }),
    direction: choice('方向', passageDirection, { required: true, initial: 'both' }),
    deviceModel: text('设备型号', { ...reported, wire: 'DeviceModel' }),
    isOnline: flag('在线', { ...reported, wire: 'Online' }),
    lastBeat: moment('最近心跳', reported),
    /** ACS-3: what it is to hold; of that what is not there, or is still there; and why. */
    wantedCount: int('应有', reported),
    waitingCount: int('待下发', reported),
    failedCount: int('失败', reported),
    removingCount: int('待删除', reported),
    missingReason: text('未下发原因', reported),
    openRoles: { ...parameterFields.openRoles, ...ofParameters },
    antennaNo: { ...parameterFields.antennaNo, ...ofParameters },
    volume: { ...parameterFields.volume, ...ofParameters },
    threshold: { ...parameterFields.threshold, ...ofParameters },
  },
)

export type DoorwayDevice = Row<typeof doorwayDevice>

const { permissions } = menu.doorway

/** Of one kind of device, by the code of its model: `lock`. */
const deviceTypeFilter = { devType: text('设备类型', { max: 20 }) }

export const doorwayDevices = crud(doorwayDevice, {
  path: 'DoorwayDevice',
  permissions: { ...permissions, add: permissions.device, edit: permissions.device, del: permissions.device },
  filters: ['doorwayId', 'direction'],
  without: ['openRoles', 'antennaNo', 'volume', 'threshold'],
  search: deviceTypeFilter,
  // A door has its project: who binds a device to it does not repeat it.
  draftFields: { projectCode: estateField<false>({ required: false }) },
  list: { aliases: ['Doorway/GetDev'] },
  add: { route: 'POST Doorway/AddEtorDevce', title: '绑定门禁设备' },
  delete: { route: 'DELETE Doorway/DelEtorFaceDevce', title: '解绑门禁设备' },
  affects: ['doorway'],
})

/** Devices of the projects that no door has yet. */
export const listFreeDevices = call({
  route: 'GET Doorway/GetAllDev',
  title: '可绑定的设备',
  needs: permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }), ...deviceTypeFilter }),
  output: listOfRows(
    {
      deviceId: ref('设备', 'device', { required: true, wire: 'DeviceID' }),
      deviceNo: text('设备号', { wire: 'DeviceNo' }),
      deviceName: text('设备', { required: true, wire: 'DevName' }),
      deviceModel: text('设备型号', { wire: 'DeviceModel' }),
      isOnline: flag('在线', { required: true, wire: 'Online' }),
      location: text('位置'),
    },
    { entity: 'device' },
  ),
})

export const getDeviceParameters = call({
  route: 'GET EccOpenDoor/GetDeviceSettingData',
  title: '查询门禁设备参数',
  needs: permissions.view,
  input: shape({ deviceId: idOf('设备', { required: true, min: 1, wire: ['DeviceID', 'DeviceId'] }) }),
  output: recordOf(doorwayDevice),
})

/** The device gets them with its door's settings, and the credentials that follow from the roles (ACS-3). */
export const editDeviceParameters = call({
  route: 'POST EccOpenDoor/EditDeviceRole',
  title: '设置门禁设备参数',
  needs: permissions.param,
  // The call is named for the roles: parameters that it does not send stay (ADR 22).
  input: shape(
    {
      id: recordIdField,
      version: int('版本', { required: true, min: 1, wire: 'Version' }),
      ...parameterFields,
    },
    { entity: doorwayDevice.name, isDraft: true },
  ),
  output: recordOf(doorwayDevice),
  affects: ['doorwayDevice'],
})
