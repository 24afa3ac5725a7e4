import { call } from '#kit/contract/call.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, lines, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { listOfRows, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { parkPayMethod } from '#modules/parking-lanes/contract/choices.ts'
import { menu } from '../module.ts'
import { shiftState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const hidden = { hiddenIn: ['table', 'filter', 'sheet', 'detail', 'form'] } as const
const outOfTable = { hiddenIn: ['table', 'sheet', 'detail'] } as const

/** Where no lane of a car park names its booth. */
export const onlyBooth = '岗亭'

const methodFields = {
  method: choice('支付方式', parkPayMethod, { required: true }),
  amount: money('金额', { required: true }),
  count: int('笔数', { required: true }),
}

/** One person's time at a booth, from its begin to the cash that the next person confirms (PRK-10). */
export const boothShift = entity(
  'boothShift',
  '停车交接班',
  { table: 'park_shift', tenancy: 'project', title: 'offStaffName', order: ['-beginTime'] },
  {
    projectCode: estateField(),
    parkId: ref('停车场', 'park', { required: true, wire: ['ParkID', 'ParkId'], ...outOfTable }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    boothName: text('岗亭', { required: true, max: 40, searchable: true }),
    offStaffId: ref('交班人', 'manager', { required: true, wire: 'OffStaffID', ...outOfTable }),
    offStaffName: text('交班人', { required: true, max: 40, searchable: true, hiddenIn: ['filter'] }),
    onStaffId: idOf('接班人', { wire: 'OnStaffID', ...hidden }),
    onStaffName: text('接班人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    beginTime: moment('当班时间', { required: true }),
    endTime: moment('交班时间'),
    inCount: int('入场车次', { required: true, hiddenIn: ['filter'] }),
    outCount: int('出场车次', { required: true, hiddenIn: ['filter'] }),
    freeCount: int('免费放行', { required: true, hiddenIn: ['filter'] }),
    openCount: int('远程开闸', { required: true, hiddenIn: ['filter'] }),
    priceCount: int('改价', { required: true, initial: 0, hiddenIn: ['filter'] }),
    chargeCount: int('收费笔数', { required: true, ...inDetail }),
    methods: lines('分方式汇总', methodFields, { required: true, wire: 'MethodJson', ...inDetail }),
    cashAmount: money('现金应交', { required: true }),
    onlineAmount: money('非现金', { required: true }),
    waivedAmount: money('免收', { required: true, ...inDetail }),
    handAmount: money('实交'),
    /** As the next person counted it. */
    confirmAmount: money('接班清点', { ...inDetail }),
    diff: money('差异'),
    remark: text('交班说明', { max: 200, ...inDetail }),
    confirmRemark: text('接班说明', { max: 200, ...inDetail }),
    confirmTime: moment('确认时间', { hiddenIn: ['table', 'filter'] }),
    state: choice('状态', shiftState, { required: true, initial: 'onDuty' }),
  },
)

export type BoothShift = Row<typeof boothShift>

export const boothShifts = crud(boothShift, {
  path: 'ParkingExchange',
  permissions: menu.shift.permissions,
  operations: ['list', 'get'],
  filters: ['parkId', 'offStaffId', 'beginTime', 'endTime', 'cashAmount', 'diff', 'state'],
  sums: ['cashAmount', 'onlineAmount', 'handAmount', 'diff'],
})

export const { list: listShifts, get: getShift } = boothShifts

export const exportShifts = crudExport(boothShifts, { needs: menu.shift.permissions.export })

const { duty, confirm } = menu.shift.permissions
const { parkId, boothName, beginTime, methods, cashAmount, onlineAmount, freeCount } = boothShift.fields

const boothFields = {
  projectCode: boothShift.fields.projectCode,
  parkId: idOf('停车场', { required: true, wire: ['ParkID', 'ParkId'] }),
  parkName: text('停车场', { required: true }),
  boothName,
  /** None where lanes were taken from the booth while somebody is on duty. */
  laneNames: text('车道'),
  shiftId: idOf('当班', { wire: 'ShiftID' }),
  staffName: text('当班人'),
  beginTime: moment('当班起'),
  isOwn: flag('本人当班', { required: true, wire: 'Own' }),
} as const

/** The booths of lanes in use, with the person on duty. */
export const listBooths = call({
  route: 'GET ParkingExchange/GetBooths',
  title: '岗亭',
  needs: menu.booth.permissions.view,
  input: shape({ projectCode: estateField<false>({ required: false }) }),
  output: listOfRows(boothFields, { entity: 'boothShift' }),
})

export const beginShift = call({
  route: 'POST ParkingExchange/PostBegin',
  title: '开始当班',
  needs: duty,
  affects: ['boothShift'],
  input: shape({ parkId, boothName }),
  output: recordOf(boothShift),
})

/** What a shift has to hand over at this moment. */
export const previewShift = call({
  route: 'GET ParkingExchange/GetPreview',
  title: '待交班',
  needs: duty,
  input: shape({ id: recordIdField }),
  output: shape(
    {
      beginTime,
      endTime: moment('当班止', { required: true }),
      methods,
      chargeCount: boothShift.fields.chargeCount,
      cashAmount,
      onlineAmount,
      freeCount,
      openCount: boothShift.fields.openCount,
      priceCount: boothShift.fields.priceCount,
      waivedAmount: boothShift.fields.waivedAmount,
    },
    { entity: 'parkingCharge' },
  ),
})

/** The cash as it was counted; refuses where the cash to hand over is not what the screen showed (PAY-1). */
export const handOverShift = call({
  route: 'POST ParkingExchange/PostHandOver',
  title: '交班',
  needs: duty,
  affects: ['boothShift'],
  input: shape({
    id: recordIdField,
    expectCash: money('现金应交', { required: true }),
    handAmount: money('实交现金', { required: true, min: 0 }),
    remark: text('交班说明', { max: 200 }),
  }),
  output: recordOf(boothShift),
})

/** By another person, who has counted the cash. */
export const confirmShift = call({
  route: 'PUT ParkingExchange/PutConfirm',
  title: '接班确认',
  needs: confirm,
  affects: ['boothShift'],
  input: shape({
    id: recordIdField,
    confirmAmount: money('清点现金', { required: true, min: 0 }),
    confirmRemark: text('接班说明', { max: 200 }),
  }),
  output: recordOf(boothShift),
})
