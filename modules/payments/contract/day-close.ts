import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, flag, int, lines, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, recordOf, pageOf, search, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { handoverState, payMethod } from './choices.ts'

export const handoverLine = {
  method: choice('支付方式', payMethod, { required: true }),
  received: money('实收', { required: true }),
  refunded: money('退款', { required: true }),
  count: int('笔数', { required: true }),
}

/** A cashier hands over what was taken between two moments (PAY-23). */
export const cashierHandover = entity(
  'cashierHandover',
  '交账单',
  { table: 'cashier_handover', tenancy: 'project', title: 'handNo', order: ['-id'] },
  {
    projectCode: estateField(),
    handNo: text('单号', { required: true, max: 30, searchable: true }),
    cashierId: ref('收费员', 'manager', { required: true, wire: 'CashierID', hiddenIn: ['table'] }),
    cashierName: text('收费员', { required: true, max: 40, hiddenIn: ['filter'] }),
    beginTime: moment('起始时间', { required: true }),
    endTime: moment('截止时间', { required: true }),
    methods: lines('分方式汇总', handoverLine, {
      required: true,
      wire: 'MethodJson',
      hiddenIn: ['table', 'filter'],
    }),
    totalReceived: money('实收', { required: true }),
    totalRefund: money('退款', { required: true }),
    cashAmount: money('应交现金', { required: true }),
    handAmount: money('实交现金', { required: true }),
    diff: money('差异', { required: true }),
    confirmBy: int('确认人', { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] }),
    confirmName: text('确认人', { max: 40, hiddenIn: ['filter'] }),
    confirmTime: moment('确认时间', { hiddenIn: ['filter'] }),
    rejectReason: text('驳回原因', { max: 200, hiddenIn: ['table', 'filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', handoverState, { required: true, initial: 'pending', struckOut: ['rejected'] }),
  },
)

export type CashierHandover = Row<typeof cashierHandover>

/** A day whose money may no longer be changed (CLO-3). */
export const dayClose = entity(
  'dayClose',
  '日结',
  { table: 'day_close', tenancy: 'project', title: 'day', order: ['-day'] },
  {
    projectCode: estateField(),
    day: day('日期', { required: true }),
    closeName: text('日结人', { max: 40, searchable: true }),
    closeTime: moment('日结时间'),
    openName: text('反日结人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    openTime: moment('反日结时间', { hiddenIn: ['filter'] }),
    openReason: text('反日结原因', { max: 200, searchable: true, hiddenIn: ['filter'] }),
    closed: flag('已日结', { required: true, initial: true }),
  },
)

export type DayClose = Row<typeof dayClose>

const idInput = { id: recordIdField }
const { methods, totalReceived, totalRefund, cashAmount, beginTime, endTime } = cashierHandover.fields

/** What the caller has taken and not yet handed over. */
export const previewHandover = call({
  route: 'GET finance/v1/CashierHandover/GetPreview',
  title: '待交账',
  needs: menu.cashier.permissions.view,
  input: shape({ projectCode: estateField<true>() }),
  output: shape({
    methods,
    totalReceived,
    totalRefund,
    cashAmount,
    beginTime: { ...beginTime, required: false as const },
    endTime,
    count: int('笔数', { required: true }),
  }),
})

export const addHandover = call({
  route: 'POST finance/v1/CashierHandover/Post',
  title: '交账',
  needs: menu.cashier.permissions.pay,
  input: shape({
    projectCode: estateField<true>(),
    endTime,
    expectCash: money('应交现金', { required: true }),
    handAmount: money('实交现金', { required: true }),
    remark: text('备注', { max: 200 }),
  }),
  output: recordOf(cashierHandover),
  affects: ['cashierHandover', 'payRecord'],
})

export const listHandovers = call({
  route: 'GET finance/v1/CashierHandover/Get',
  title: '查询交账',
  needs: menu.handover.permissions.view,
  input: search(cashierHandover, ['cashierId', 'state', 'endTime']),
  output: pageOf(cashierHandover, {
    sums: ['totalReceived', 'totalRefund', 'cashAmount', 'handAmount', 'diff'],
  }),
})

export const getHandover = call({
  route: 'GET finance/v1/CashierHandover/GetOne',
  title: '查看交账',
  needs: menu.handover.permissions.view,
  input: byId,
  output: recordOf(cashierHandover),
})

/** PAY-23: by another person; a refused sheet sets its records free. */
export const confirmHandover = call({
  route: 'PUT finance/v1/CashierHandover/PutConfirm',
  title: '确认交账',
  needs: menu.handover.permissions.confirm,
  input: shape({
    ...idInput,
    pass: flag('确认', { required: true }),
    reason: text('驳回原因', { max: 200 }),
  }),
  output: recordOf(cashierHandover),
  affects: ['cashierHandover', 'payRecord'],
})

const dayInput = { projectCode: estateField<true>(), day: day('日期', { required: true }) }

/** What prevents closing a day (CLO-3), and the day's sums. */
export const checkDayClose = call({
  route: 'GET finance/v1/DayClose/GetCheck',
  title: '日结检查',
  needs: menu.close.permissions.view,
  input: shape({
    projectCode: dayInput.projectCode,
    day: day('日期', { help: '不填为最早未日结的日期，都已日结时为今天' }),
  }),
  output: shape({
    day: dayInput.day,
    closed: flag('已日结', { required: true }),
    openDays: lines('以前未日结的日期', { day: dayInput.day }, { required: true }),
    goesToNextDay: flag('当天日结后的收款计入次日', { required: true }),
    count: int('笔数', { required: true }),
    received: money('实收', { required: true }),
    refunded: money('退款', { required: true }),
    blockers: lines(
      '未完成',
      {
        blocker: text('事项', { required: true, wire: 'What' }),
        cashierName: text('收费员', { wire: 'Who' }),
        isHandedOver: flag('已交账待确认', { wire: 'HandedOver' }),
        count: int('笔数', { required: true }),
      },
      { required: true, wire: 'Hindrances' },
    ),
  }),
})

export const closeDay = call({
  route: 'POST finance/v1/DayClose/Post',
  title: '日结',
  needs: menu.close.permissions.close,
  input: shape({
    ...dayInput,
    isTodayConfirmed: flag('确认日结今天', {
      initial: false,
      wire: 'TodayConfirmed',
      help: '日结今天时必须确认，以前的日期不用',
    }),
  }),
  output: recordOf(dayClose),
  affects: ['dayClose', 'payRecord'],
})

export const reopenDay = call({
  route: 'PUT finance/v1/DayClose/PutReopen',
  title: '反日结',
  needs: menu.close.permissions.reopen,
  input: shape({ ...dayInput, reason: reasonField }),
  output: recordOf(dayClose),
  affects: ['dayClose', 'payRecord'],
})

export const listDayCloses = call({
  route: 'GET finance/v1/DayClose/Get',
  title: '查询日结',
  needs: menu.close.permissions.view,
  input: search(dayClose, ['day', 'closed']),
  output: pageOf(dayClose),
})
