import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choices,
  choiceTable,
  flag,
  idOf,
  int,
  list,
  lookup,
  moment,
  ref,
  text,
} from '#kit/contract/field.ts'
import { draftOf, extendShape, idRule, listOfRows, noData, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { orderVisibility } from './choices.ts'
import { timeOfDayRule } from './order-type.ts'

const { permissions } = menu.person

export const weekdayChoice = choiceTable('WorkorderWeekday', '星期', {
  monday: [1, '周一'],
  tuesday: [2, '周二'],
  wednesday: [3, '周三'],
  thursday: [4, '周四'],
  friday: [5, '周五'],
  saturday: [6, '周六'],
  sunday: [7, '周日'],
})

const accountList = (label: string) => ({
  ...list(label, { max: 200, rule: idRule, wire: 'ManagerIDs', hiddenIn: ['table', 'filter', 'sheet'] }),
  target: 'manager',
})

/** Employees instead of accounts, as the old wire names them; each must have an account. */
const staffIds = { ...list('员工', { max: 200, rule: idRule, wire: 'StaffIDs' }), target: 'staff' }

/** Who gets the orders of a type in a part of a project, and when (WO-13). No type: all types. */
export const personConfig = entity(
  'orderToPersonConfig',
  '接单人配置',
  { table: 'work_order_person_config', tenancy: 'project', title: 'typeName', order: ['typeId', 'id'] },
  {
    projectCode: estateField(),
    estateName: lookup('项目', 'projectCode', 'name', { wire: 'EstateName' }),
    typeId: ref('工单类型', 'workOrderType', {
      wire: 'TypeID',
      help: '不选即全部类型；对下级类型同样有效',
      hiddenIn: ['table'],
    }),
    typeName: lookup('工单类型', 'typeId', 'typeName', { wire: 'TypeName', searchable: true }),
    buildCodes: {
      ...list('楼栋', {
        max: 200,
        wire: 'Buildcodes',
        help: '不选即全部楼栋与公共区域',
        hiddenIn: ['filter', 'sheet'],
      }),
      target: 'building',
      targetBy: 'key' as const,
      dataDomain: 'building' as const,
    },
    managerIds: accountList('接单人'),
    managerNames: list('接单人', { derived: true, wire: 'ManagerNames', hiddenIn: ['form', 'filter'] }),
    weekdays: choices('星期', weekdayChoice, { help: '不选即每天', hiddenIn: ['filter'] }),
    shiftBegin: text('班次开始', { max: 5, rule: timeOfDayRule, help: '不填即全天', hiddenIn: ['filter'] }),
    shiftEnd: text('班次结束', {
      max: 5,
      rule: timeOfDayRule,
      help: '早于开始即到次日',
      hiddenIn: ['filter'],
    }),
    maxOpen: int('最大在办', { min: 1, max: 999, help: '不填即不限', hiddenIn: ['filter'] }),
    onlyOnDuty: flag('仅在岗', { required: true, initial: true, wire: 'OnlyOnDuty', hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, searchable: true, hiddenIn: ['table', 'filter'] }),
  },
)

export type PersonConfig = Row<typeof personConfig>

const basePath = 'workorder/v1/OrderType'

export const personConfigs = crud(personConfig, {
  path: basePath,
  permissions,
  operations: ['list', 'delete'],
  filters: ['typeId'],
  search: { managerId: idOf('接单人', { min: 1, wire: 'ManagerID' }) },
  list: { route: `GET ${basePath}/GetOrderToPersonConfig` },
  delete: { route: `POST ${basePath}/DeleteOrderToPersonConfig`, affects: ['workOrderType'] },
})

const typeIds = {
  ...list('工单类型', {
    max: 100,
    rule: idRule,
    wire: 'TypeIDs',
    help: '可选多个，每个类型保存一条；不选即全部类型',
  }),
  target: 'workOrderType',
}

/** Adds without an id, for several types one of each and all or none; edits with an id. */
export const savePersonConfig = call({
  route: `POST ${basePath}/OrderToPersonConfig`,
  title: '保存接单人配置',
  needs: permissions.edit,
  affects: ['orderToPersonConfig', 'workOrderType'],
  input: extendShape(draftOf(personConfig), { staffIds, typeIds }),
  output: recordOf(personConfig),
})

/** Types with the people that they reach, inherited ones too: what is covered and what is not. */
export const listTypeCoverage = call({
  route: `GET ${basePath}/GetWorkOrderConfigCombine`,
  title: '工单类型与接单人',
  needs: permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    buildCode: text('楼栋', { max: 20, dataDomain: 'building', wire: 'Buildcode' }),
  }),
  output: listOfRows(
    {
      typeId: idOf('类型', { required: true, wire: 'TypeID' }),
      parentId: idOf('上级', { wire: 'ParentID' }),
      typeName: text('类型', { required: true }),
      managerIds: list('接单人', { required: true, wire: 'ManagerIDs' }),
      managerNames: list('接单人', { required: true, wire: 'ManagerNames' }),
      isInherited: flag('来自上级', { required: true }),
      onDutyCount: int('在岗人数', { required: true }),
    },
    { entity: 'orderToPersonConfig' },
  ),
})

/** Roles of those who handle orders: their types, and what else they see (WO-11). */
export const orderRole = entity(
  'workOrderRole',
  '接单角色',
  { table: 'work_order_role', tenancy: 'company', title: 'roleName', order: ['roleName'] },
  {
    roleName: text('角色', { required: true, max: 40, searchable: true }),
    managerIds: accountList('人员'),
    managerNames: list('人员', { derived: true, wire: 'ManagerNames', hiddenIn: ['form', 'filter'] }),
    typeIds: {
      ...list('负责的类型', {
        max: 500,
        rule: idRule,
        wire: 'TypeIDs',
        hiddenIn: ['table', 'filter', 'sheet'],
      }),
      target: 'workOrderType',
    },
    typeNames: list('负责的类型', { derived: true, wire: 'TypeNames', hiddenIn: ['form', 'filter'] }),
    visibility: choice('查看范围', orderVisibility, { required: true, initial: 'domain' }),
  },
)

export type OrderRole = Row<typeof orderRole>

export const orderRoles = crud(orderRole, {
  path: 'workorder/v1/WXAppRole',
  permissions,
  operations: ['list', 'delete'],
  filters: ['visibility'],
  list: { route: 'GET workorder/v1/WXAppRole/GetWxRoleConfig' },
  delete: { route: 'POST workorder/v1/WXAppRole/DeleteWxRoleConfig', affects: ['workOrder'] },
})

/** Adds without an id, edits with one. */
export const saveOrderRole = call({
  route: 'POST workorder/v1/WXAppRole/WxRoleConfig',
  title: '保存接单角色',
  needs: permissions.edit,
  affects: ['workOrderRole', 'workOrder'],
  input: extendShape(draftOf(orderRole), { staffIds }),
  output: recordOf(orderRole),
})

const dutyFields = {
  managerId: idOf('账号', { required: true, wire: 'ManagerID' }),
  isPaused: flag('暂停接单', { required: true }),
  pausedUntil: moment('暂停至'),
  reason: text('原因', { max: 100 }),
  isOnDuty: flag('在岗', { required: true }),
  openCount: int('在办', { required: true }),
}

/** Whether the caller takes orders now. */
export const getMyDuty = call({
  route: 'GET workorder/v1/Duty/GetMine',
  title: '我的接单状态',
  needs: menu.order.permissions.handle,
  input: noData,
  output: shape(dutyFields, { entity: 'workOrder' }),
})

/** The caller stops taking orders, or takes them again; `pausedUntil` ends it by itself. */
export const setMyDuty = call({
  route: 'POST workorder/v1/Duty/Set',
  title: '设置接单状态',
  needs: menu.order.permissions.handle,
  affects: ['workOrder'],
  input: shape({
    isPaused: flag('暂停接单', { required: true }),
    pausedUntil: moment('暂停至'),
    reason: text('原因', { max: 100 }),
  }),
  output: shape(dutyFields),
})
