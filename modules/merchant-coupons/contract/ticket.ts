import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { crudExport } from '#kit/contract/crud-sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, idOf, int, list, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import {
  bulkResult,
  byIdsWithReason,
  extendShape,
  fileResponse,
  pageOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { normalizePlate, plateRule } from '#modules/parking/contract/licence-plate.ts'
import { couponKind } from '#modules/parking-lanes/contract/choices.ts'
import { siteAddressRule } from '#kit/contract/rules.ts'
import { menu } from '../module.ts'
import { ticketOrigin, ticketState } from './choices.ts'
import { couponField, merchantField } from './stock.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const
const inDetail = { hiddenIn: ['table', 'filter'] } as const
const { permissions } = menu.ticket

/** A coupon that was given to a plate, or whose one-time code waits for one (C10.3). */
export const merchantTicket = entity(
  'merchantTicket',
  '停车券发放记录',
  { table: 'merchant_parking_ticket', tenancy: 'project', title: 'ticketNo', order: ['-id'] },
  {
    projectCode: estateField(),
    ticketNo: text('券号', { required: true, max: 30, searchable: true, wire: 'TicketNo' }),
    couponId: couponField,
    couponName: lookup('停车券', 'couponId', 'couponName', { wire: 'CouponName' }),
    merchantId: merchantField,
    buildCode: buildingThrough('merchantId'),
    merchantName: lookup('商户', 'merchantId', 'name', { wire: 'MerchantName' }),
    parkId: ref('停车场', 'park', {
      required: true,
      wire: ['ParkID', 'ParkId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    parkName: lookup('停车场', 'parkId', 'name', { wire: 'ParkName' }),
    kind: choice('类型', couponKind, { required: true, wire: 'Kind', hiddenIn: ['filter'] }),
    origin: choice('发放方式', ticketOrigin, { required: true, wire: 'Origin' }),
    /** Empty until the driver scans its one-time code. */
    plateNo: text('车牌', { max: 8, searchable: true, wire: 'PlateNo' }),
    presentTime: moment('发放时间', { required: true, wire: 'PresentTime' }),
    /** The day of a plate, and which one of that day it is (TKT-13); none of a coupon without a limit. */
    presentDay: day('领取日期', internalOnly),
    daySeq: int('当日序号', internalOnly),
    /** The fixed code that it was taken by, and the stay for which. */
    codeId: idOf('固定码', internalOnly),
    claimStayId: idOf('领取时的出入记录', internalOnly),
    validTo: day('有效期止', { required: true, wire: 'ValidTo' }),
    stayId: idOf('出入记录', { wire: 'StayID', ...internalOnly }),
    usedPassNo: text('核销通行号', { max: 30, wire: 'UsedPassNo', ...inDetail }),
    usedTime: moment('核销时间', { wire: 'UsedTime' }),
    usedValue: money('抵扣', { wire: 'UsedValue' }),
    operatorName: text('发放人', { max: 40, hiddenIn: ['filter'] }),
    withdrawReason: text('撤回原因', { max: 200, ...inDetail }),
    state: choice('状态', ticketState, {
      required: true,
      initial: 'unused',
      struckOut: ['expired', 'withdrawn'],
    }),
  },
)

export type MerchantTicket = Row<typeof merchantTicket>

export const merchantTickets = crud(merchantTicket, {
  path: 'merchant/v1/ticket',
  permissions,
  operations: ['list', 'get'],
  filters: [
    'merchantId',
    'couponId',
    'parkId',
    'plateNo',
    'origin',
    'state',
    'presentTime',
    'usedTime',
    'validTo',
  ],
  sums: ['usedValue'],
  list: {
    route: 'GET merchant/v1/ticket/ticket_presentlist',
    aliases: ['MerchantParkingTicket/GetParkTickets'],
  },
  get: { route: 'GET merchant/v1/ticket/getone' },
})

export const { list: listTickets, get: getTicket } = merchantTickets

/** The same sheet under the names of both families; those that wait for a plate are in it, too. */
export const exportTickets = {
  ...crudExport(merchantTickets, {
    needs: permissions.export,
    route: 'GET merchant/v1/ticket/ticketlistExport',
    label: '停车券发放',
  }),
  ...declareExport({
    route: 'GET merchant/v1/ticket/ticketlistExport',
    aliases: ['merchant/v1/ticket/export_ticket', 'MerchantParkingTicket/ExportExcel'],
    title: '导出停车券发放',
    needs: permissions.export,
    list: listTickets,
  }),
}

const usedFilters = ['merchantId', 'couponId', 'parkId', 'plateNo', 'usedTime'] as const

/** Those that were taken off a fee. */
export const listUsedTickets = call({
  route: 'GET Ticket/GetUsed',
  title: '已使用的停车券',
  needs: permissions.view,
  input: search(merchantTicket, usedFilters, {
    passNo: text('通行号', { max: 30, wire: ['PassNo', 'UsedPassNo'] }),
  }),
  output: pageOfRows(merchantTicket.fields, { entity: 'merchantTicket' }),
})

export const maxPlates = 500

const affects = ['merchantTicket', 'merchantStock', 'merchantStockRecord', 'merchantCoupon']

const eachPlateRule = { ...plateRule, test: (plate: string) => plateRule.test(normalizePlate(plate)) }

/** One ticket to each plate; what cannot be given is answered by its plate, the others are. */
export const presentTickets = call({
  route: 'POST merchant/v1/ticket/present_ticket_batch',
  title: '发放停车券',
  needs: permissions.present,
  input: shape(
    {
      merchantId: merchantTicket.fields.merchantId,
      couponId: merchantTicket.fields.couponId,
      plateNos: list('车牌', {
        required: true,
        max: maxPlates,
        rule: eachPlateRule,
        wire: ['PlateNos', 'PlateNo'],
        help: `每个车牌发一张，一次最多 ${maxPlates} 个`,
      }),
    },
    { entity: 'merchantTicket' },
  ),
  output: bulkResult,
  affects,
})

/** Back to the stock, as long as they are not used (TKT-12). */
export const withdrawTickets = call({
  route: 'PUT merchant/v1/ticket/withdraw',
  title: '撤回停车券',
  needs: permissions.withdraw,
  input: byIdsWithReason,
  output: bulkResult,
  affects,
})

export const maxCodes = 200

/** One-time codes: tickets without a plate, which the first driver to scan one gets. */
export const issueCodes = call({
  route: 'POST merchant/v1/ticket/issue_codes',
  title: '生成一次性码',
  needs: permissions.code,
  input: shape(
    {
      merchantId: merchantTicket.fields.merchantId,
      couponId: merchantTicket.fields.couponId,
      qty: int('数量', { required: true, min: 1, max: maxCodes, initial: 24, wire: 'Qty' }),
    },
    { entity: 'merchantTicket' },
  ),
  output: shape({ ids: list('编号', { required: true, wire: 'Ids' }) }),
  affects,
})

const address = text('站点地址', { max: 200, rule: siteAddressRule })

/** The sheet of the one-time codes that nobody has scanned yet. */
export const printTicketCodes = call({
  route: 'GET MerchantParkingTicket/ExportPDF',
  title: '打印一次性码',
  needs: permissions.code,
  input: extendShape(listTickets.input, { address }),
  output: fileResponse,
})

export const addressField = address
