import { call } from '#kit/contract/call.ts'
import { choice, idOf, int, list, month, text } from '#kit/contract/field.ts'
import {
  byId,
  byIdsWithReason,
  bulkResult,
  draftOf,
  noData,
  recordOf,
  pageOf,
  pageOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { unreadReason } from './choices.ts'
import { idRule, meter, meterPlan } from './meter.ts'

const progressInput = { progressMonth: month('进度月份', { wire: 'Month' }) }

/** With the progress of each plan in a month, by default this month. */
export const listPlans = call({
  route: 'GET PropertyMeterPlan/Get',
  title: '查询抄表计划',
  needs: menu.plan.permissions.view,
  input: search(meterPlan, ['name', 'meterKind', 'state'], progressInput),
  output: pageOf(meterPlan),
})

export const getPlan = call({
  route: 'GET PropertyMeterPlan/GetOne',
  title: '查看抄表计划',
  needs: menu.plan.permissions.view,
  input: byId,
  output: recordOf(meterPlan),
})

export const addPlan = call({
  route: 'POST PropertyMeterPlan/Post',
  title: '新增抄表计划',
  needs: menu.plan.permissions.add,
  input: draftOf(meterPlan),
  output: recordOf(meterPlan),
  affects: ['meterPlan'],
})

export const editPlan = call({
  route: 'PUT PropertyMeterPlan/Put',
  title: '编辑抄表计划',
  needs: menu.plan.permissions.edit,
  input: draftOf(meterPlan),
  output: recordOf(meterPlan),
  affects: ['meterPlan'],
})

export const deletePlans = call({
  route: 'DELETE PropertyMeterPlan/Delete',
  title: '删除抄表计划',
  needs: menu.plan.permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['meterPlan'],
})

/** Meters of a plan without a reading in the month, with the reason where one was given (MTR-16). */
export const listUnread = call({
  route: 'GET PropertyMeterPlan/GetNotRead',
  title: '未抄清单',
  needs: menu.plan.permissions.view,
  input: shape({
    planId: idOf('计划', { required: true, min: 1, wire: 'PlanID' }),
    month: month('月份', { required: true }),
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
  }),
  output: pageOfRows({
    id: idOf('仪表', { required: true, wire: 'MeterID' }),
    meterNo: meter.fields.meterNo,
    meterKind: meter.fields.meterKind,
    sourceName: meter.fields.sourceName,
    location: meter.fields.location,
    unread: choice('未抄原因', unreadReason, { wire: 'UnreadReason' }),
    remark: text('说明', { max: 200 }),
  }),
})

/** Records why meters could not be read; without a reason, removes what was recorded. */
export const setUnreadReason = call({
  route: 'PUT PropertyMeterPlan/PutNotRead',
  title: '登记未抄原因',
  needs: menu.reading.permissions.add,
  affects: ['meterReading', 'meterPlan'],
  input: shape({
    meterIds: list('仪表', { required: true, max: 2000, wire: ['MeterIDs', 'Ids'], rule: idRule }),
    month: month('月份', { required: true }),
    unread: choice('未抄原因', unreadReason, { wire: 'UnreadReason' }),
    remark: text('说明', { max: 200 }),
  }),
  output: bulkResult,
})
