import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choices, choice, flag, idOf, int, lines, list, lookup, ref, text } from '#kit/contract/field.ts'
import { idRule, listOfRows, noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'
import { notifyEvent, orderStage, warningChannel, warningReceiver } from './choices.ts'

const { permissions } = menu.setting

const settingFields = {
  key: text('功能', { required: true, max: 40, wire: 'FuncKey' }),
  enabled: flag('启用', { required: true }),
  /** A whole number where the function has one: minutes, days, times, a fee item. */
  value: int('参数', { min: 0, wire: ['Value', 'ValueJson'] }),
}

/** How orders are handled in the company: each function with its switch or its number. */
export const getFunctionSettings = call({
  route: 'GET workorder/v1/FunctionSetting/Get',
  title: '工单功能设置',
  needs: permissions.view,
  input: noData,
  output: listOfRows({
    ...settingFields,
    label: text('名称', { required: true }),
    help: text('说明', { required: true }),
    hasSwitch: flag('有开关', { required: true }),
    hasValue: flag('有参数', { required: true }),
    unit: text('单位'),
    min: int('最小'),
    max: int('最大'),
  }),
})

/** What is not sent stays. */
export const setFunctionSettings = call({
  route: 'POST workorder/v1/FunctionSetting/Set',
  title: '保存工单功能设置',
  needs: permissions.edit,
  affects: ['workOrder'],
  input: shape({
    settings: lines('设置', settingFields, { required: true, max: 50, wire: ['Settings', 'Data'] }),
  }),
  output: noData,
})

/** When whom to warn of a stage of an order (WO-4). No type: all types. */
export const timeWarning = entity(
  'workOrderWarning',
  '时效预警',
  {
    table: 'work_order_warning',
    tenancy: 'company',
    title: 'stage',
    order: ['typeId', 'stage', 'offsetMinutes'],
  },
  {
    typeId: ref('工单类型', 'workOrderType', { wire: 'TypeID', help: '不选即全部类型', hiddenIn: ['table'] }),
    typeName: lookup('工单类型', 'typeId', 'typeName', { wire: 'TypeName' }),
    stage: choice('阶段', orderStage, { required: true }),
    offsetMinutes: int('偏移分钟', {
      required: true,
      min: -43_200,
      max: 43_200,
      unit: '分钟',
      help: '负数为到期之前，0 为到期时，正数为超时之后',
    }),
    receivers: choices('接收人', warningReceiver, { required: true }),
    channels: choices('渠道', warningChannel, { required: true, wire: ['Channel', 'Channels'] }),
  },
)

export type TimeWarning = Row<typeof timeWarning>

const { stage, offsetMinutes, receivers, channels } = timeWarning.fields

export const getTimeWarnings = call({
  route: 'GET workorder/v1/TimeWarning/Get',
  title: '时效预警',
  needs: permissions.view,
  input: shape({ typeId: idOf('工单类型', { wire: 'TypeID' }) }),
  output: listOfRows(timeWarning.fields, { entity: 'workOrderWarning' }),
})

/** The warnings of one type (0: of all types), in place of those that it had. */
export const setTimeWarnings = call({
  route: 'POST workorder/v1/TimeWarning/Set',
  title: '保存时效预警',
  needs: permissions.edit,
  affects: ['workOrderWarning'],
  input: shape({
    typeId: idOf('工单类型', { wire: 'TypeID' }),
    warnings: lines(
      '预警',
      { stage, offsetMinutes, receivers, channels },
      {
        required: true,
        min: 0,
        max: 40,
        wire: ['Warnings', 'Data'],
      },
    ),
  }),
  output: listOfRows(timeWarning.fields, { entity: 'workOrderWarning' }),
})

/** What a person of the company is notified about orders that are not their own. */
export const orderNotify = entity(
  'workOrderNotify',
  '工单通知人',
  { table: 'work_order_notify', tenancy: 'company', title: 'managerName', order: ['id'] },
  {
    managerId: ref('通知人', 'manager', {
      required: true,
      wire: ['ManagerID', 'UserID'],
      hiddenIn: ['table'],
    }),
    managerName: lookup('通知人', 'managerId', 'realName', {
      wire: ['ManagerName', 'RealName'],
      searchable: true,
    }),
    events: choices('通知事项', notifyEvent, { required: true }),
    projectCodes: {
      ...list('项目', {
        max: 200,
        wire: 'Projectcodes',
        help: '不选即数据范围内全部项目',
        hiddenIn: ['filter'],
      }),
      target: 'estate',
      targetBy: 'key' as const,
    },
    typeIds: {
      ...list('工单类型', {
        max: 500,
        rule: idRule,
        wire: 'TypeIDs',
        help: '不选即全部类型；含下级类型',
        hiddenIn: ['table', 'filter'],
      }),
      target: 'workOrderType',
    },
    isOn: flag('启用', { required: true, initial: true }),
  },
)

export type OrderNotify = Row<typeof orderNotify>

export const orderNotifies = crud(orderNotify, {
  path: 'NinternalWorkorderNotify',
  permissions: menu.notify.permissions,
  operations: ['list', 'add', 'edit', 'delete'],
  filters: ['managerId', 'events', 'isOn'],
  add: { route: 'POST NinternalWorkorderNotify/post' },
  edit: { route: 'PUT NinternalWorkorderNotify/put' },
})
