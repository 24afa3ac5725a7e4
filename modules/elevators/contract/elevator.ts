import { call } from '#kit/contract/call.ts'
import { crud, idsFilter, pickerOf } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  day,
  flag,
  idOf,
  int,
  keyRef,
  lines,
  list,
  lookup,
  part,
  ref,
  systemChoice,
  text,
  type Rule,
} from '#kit/contract/field.ts'
import { calendarYears, clockRule, rules } from '#kit/contract/rules.ts'
import { listOfRows, noData, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { weekDay } from '#modules/access/contract/choices.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { parseFloors } from './floors.ts'
import { menu } from '../module.ts'
import { busyLimit, elevatorState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const reported = { derived: true, hiddenIn: ['form', 'filter', 'sheet'] } as const
/** Other calls change it. */
const inForm = { hiddenIn: ['table', 'filter', 'form', 'sheet'] } as const

export const maxFloors = 200

const floorsRule: Rule = {
  name: 'floors',
  test: value => (parseFloors(value) ? undefined : '应为楼层或范围，如 -1,1~33'),
  hint: '-1,1~33',
}

/** One floor of a lift, as its number. */
export const floorRule: Rule = {
  name: 'floor',
  test: value => (parseFloors(value)?.length === 1 ? undefined : '应为楼层，如 -1、12'),
}

export const floorList = (label: string) => list(label, { max: maxFloors, rule: floorRule })

/** Also the short numbers of public lines: 96333 of lift rescue, 119, 95598. */
export const serviceNumberRule: Rule = {
  name: 'serviceNumber',
  test: value =>
    /^(1[12]\d|12\d{3}|9[56]\d{3,4})$/.test(value) || rules.phone.test(value) === undefined
      ? undefined
      : '请输入手机号、区号-号码，或 96333 等救援电话',
  hint: '手机号、区号-号码，或 96333',
}

const busyTimeFields = {
  weekDays: choices('星期', weekDay, { wire: 'WeekDays' }),
  begin: text('起', { required: true, max: 5, rule: clockRule, wire: 'BeginTime' }),
  end: text('止', { required: true, max: 5, rule: clockRule, wire: 'EndTime' }),
  limit: choice('限制', busyLimit, { required: true, initial: 'hint', wire: 'LimitType' }),
} as const

/** A lift of a project (ELV-1). */
export const elevator = entity(
  'elevator',
  '电梯',
  { table: 'elevator', tenancy: 'project', title: 'name', order: ['projectCode', 'elevatorNo'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName', hiddenIn: ['table', 'sheet'] }),
    elevatorNo: text('编号', {
      max: 20,
      rule: rules.lettersDigits,
      immutable: true,
      searchable: true,
      hiddenIn: ['filter'],
      help: '项目内唯一；不填则自动生成',
    }),
    name: text('电梯名称', { required: true, max: 40, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      hiddenIn: ['table', 'sheet', 'detail'],
      help: '该楼栋的住户默认可到所住楼层与公共楼层',
    }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'Buildname' }),
    unitName: text('单元', {
      max: 20,
      wire: 'Unitname',
      hiddenIn: ['filter'],
      help: '楼栋中的单元名称；不填为整栋',
    }),
    registerCode: text('注册代码', { max: 30, searchable: true, ...inDetail }),
    brand: text('品牌', { max: 40, ...inDetail }),
    model: text('型号', { max: 40, ...inDetail }),
    loadKg: int('载重', { min: 1, max: 50_000, unit: '千克', ...inDetail }),
    floors: text('停靠层', {
      required: true,
      max: 100,
      rule: floorsRule,
      hiddenIn: ['filter'],
      help: '逗号分隔，可写范围，如 -1,1~33',
    }),
    floorList: { ...floorList('楼层'), ...inForm, wire: 'FloorList' },
    publicFloors: { ...floorList('公共楼层'), ...inForm },
    closedFloors: { ...floorList('停用楼层'), ...inForm },
    factoryDate: day('出厂日期', { rule: calendarYears, ...inDetail }),
    useDate: day('投用日期', { rule: calendarYears, ...inDetail }),
    lastInspectDate: day('上次年检', { rule: calendarYears, ...inDetail }),
    nextInspectDate: day('下次年检', { rule: calendarYears, help: '提前 30 天列入待办' }),
    maintainFirm: text('维保单位', { max: 60, ...inDetail }),
    maintainPhone: text('维保电话', { max: 20, rule: serviceNumberRule, ...inDetail }),
    rescuePhone: text('救援电话', { max: 20, rule: serviceNumberRule, ...inDetail }),
    maintainCycle: int('维保周期', { required: true, initial: 15, min: 1, max: 90, unit: '天', ...inDetail }),
    lastMaintainDate: day('上次维保', { rule: calendarYears, ...inForm }),
    nextMaintainDate: day('下次维保', { rule: calendarYears, hiddenIn: ['form'] }),
    busyTimes: lines('繁忙时段', busyTimeFields, { max: 20, ...inForm }),
    deviceId: ref('梯控设备', 'device', {
      wire: 'DeviceID',
      hiddenIn: ['table', 'filter', 'form', 'sheet', 'detail'],
    }),
    deviceName: lookup('梯控设备', 'deviceId', 'name', { wire: 'DevName' }),
    deviceNo: lookup('设备号', 'deviceId', 'devNo', { wire: 'DeviceNo', hiddenIn: ['table'] }),
    isOnline: flag('在线', { ...reported, wire: 'Online' }),
    /** ACS-3: what its device is to hold; of that what is not there, and why. */
    wantedCount: int('应有', reported),
    unsyncedCount: int('未同步', reported),
    missingReason: text('未下发原因', reported),
    remark: text('备注', { max: 200, ...inDetail }),
    state: systemChoice('状态', elevatorState, 'running'),
    /** Number and name once more, as pickers of old clients read them. */
    propertyElevator: part(
      '电梯',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        name: text('电梯名称', { required: true, wire: ['Name', 'name'] }),
      },
      { ...reported, hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'], wire: 'PropertyElevator' },
    ),
  },
)

export type Elevator = Row<typeof elevator>
export type BusyTime = NonNullable<Elevator['busyTimes']>[number]

const { permissions } = menu.elevator

export const elevators = crud(elevator, {
  path: 'PropertyElevator',
  permissions,
  filters: ['buildCode', 'state', 'nextInspectDate', 'nextMaintainDate'],
  without: [
    'floorList',
    'publicFloors',
    'closedFloors',
    'lastMaintainDate',
    'nextMaintainDate',
    'busyTimes',
    'deviceId',
    'state',
  ],
  search: { ids: idsFilter, inspectDue: flag('30 天内年检'), maintainDue: flag('维保到期') },
})

export const exportElevators = crudExport(elevators, { needs: menu.elevator.permissions.export })

export const pickElevators = pickerOf(elevator, {
  route: 'GET PropertyElevator/GetPick',
  title: '选择电梯',
  fields: ['id', 'projectCode', 'elevatorNo', 'name', 'buildName', 'unitName', 'floorList', 'state'],
  search: { ids: idsFilter },
})

/** Binds a controller, or none any more. */
export const bindElevatorDevice = call({
  route: 'PUT PropertyElevator/PutElevatorDevice',
  title: '绑定梯控设备',
  needs: permissions.device,
  affects: ['elevator', 'device'],
  input: shape({
    id: recordIdField,
    deviceId: ref('梯控设备', 'device', { wire: ['DeviceID', 'DeviceId'], help: '不选为解绑' }),
  }),
  output: noData,
})

/** Devices that may control lifts, with the lift that each has. */
export const listLiftDevices = call({
  route: 'GET BmsETCloud/GetDeviceList',
  title: '梯控设备',
  needs: permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }), onlyFree: flag('仅未绑定') }),
  output: listOfRows(
    {
      deviceId: ref('设备', 'device', { required: true, wire: 'DeviceID' }),
      deviceNo: text('设备号', { wire: 'DeviceNo' }),
      deviceName: text('设备', { required: true, wire: 'DevName' }),
      deviceModel: text('设备型号', { wire: 'DeviceModel' }),
      isOnline: flag('在线', { required: true, wire: 'Online' }),
      location: text('位置'),
      elevatorId: idOf('电梯', { wire: 'ElevatorID' }),
      elevatorName: text('电梯', { wire: 'ElevatorName' }),
    },
    { entity: 'device' },
  ),
})

/** ELV-1: in and out of service; a trapped-person alarm ends by being dealt with alone. */
export const changeElevatorState = call({
  route: 'PUT PropertyElevator/PutState',
  title: '变更电梯状态',
  needs: permissions.state,
  affects: ['elevator'],
  input: shape({
    id: recordIdField,
    state: choice('状态', elevatorState, { required: true }),
    reason: reasonField,
  }),
  output: noData,
})

/** Which floors all who may use the lift get, and which nobody gets. */
export const saveFloors = call({
  route: 'PUT PropertyElevator/PutFloors',
  title: '保存楼层控制',
  needs: menu.setting.permissions.edit,
  affects: ['elevator'],
  input: shape({
    id: recordIdField,
    version: int('版本', { min: 1 }),
    publicFloors: { ...floorList('公共楼层'), help: '可乘此梯的人都可到' },
    closedFloors: { ...floorList('停用楼层'), help: '任何人不能到' },
  }),
  output: recordOf(elevator),
})

const elevatorIdField = idOf('电梯', { required: true, min: 1, wire: ['ElevatorID', 'ElevatorId'] })

export const listBusyTimes = call({
  route: 'GET elevator/v1/busytimesetting/get',
  title: '繁忙时段',
  needs: menu.setting.permissions.view,
  input: shape({ elevatorId: elevatorIdField }),
  output: listOfRows({ elevatorId: elevatorIdField, ...busyTimeFields }, { entity: elevator.name }),
})

/** All busy times of a lift at once; an empty list clears them, a request without one is refused. */
export const saveBusyTimes = call({
  route: 'POST elevator/v1/busytimesetting/savesetting',
  title: '保存繁忙时段',
  needs: menu.setting.permissions.edit,
  affects: ['elevator'],
  input: shape({
    elevatorId: elevatorIdField,
    busyTimes: lines('繁忙时段', busyTimeFields, {
      required: true,
      min: 0,
      max: 20,
      wire: ['Settings', 'BusyTimes'],
    }),
  }),
  output: noData,
})
