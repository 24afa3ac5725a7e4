import { call } from '#kit/contract/call.ts'
import { flag, idOf, int, moment, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** Somebody who may be given an order, as pickers and the dispatch board show them. */
const candidateFields = {
  managerId: idOf('账号', { required: true, wire: 'ManagerID' }),
  name: text('姓名', { required: true, wire: ['RealName', 'Name'] }),
  staffId: idOf('员工', { wire: 'StaffID' }),
  position: text('岗位'),
  departmentName: text('部门', { wire: 'DepartmentName' }),
  openCount: int('在办', { required: true }),
  maxOpen: int('最大在办'),
  lateCount: int('超时', { required: true }),
  isConfigured: flag('在接单人配置内', { required: true }),
  isOnDuty: flag('在岗', { required: true }),
  isPaused: flag('暂停接单', { required: true }),
  canReceive: flag('可派单', { required: true }),
  /** Why not, where `canReceive` is 0. */
  reason: text('原因'),
  lastDispatchTime: moment('最近派单'),
}

/** Those who may be given an order of this type at this place now, the most suitable first. */
export const findReceivers = call({
  route: 'GET workorder/v1/OrderType/GetReceivOrderPerson',
  title: '可接单人员',
  needs: menu.order.permissions.view,
  input: shape({
    projectCode: estateField<true>(),
    typeId: idOf('类型', { required: true, min: 1, wire: 'TypeID' }),
    buildCode: text('楼栋', { max: 20, dataDomain: 'building', wire: 'Buildcode' }),
    /** Leaves out who may not be given it. */
    onlyAvailable: flag('仅可派单', { wire: 'OnlyAvailable' }),
  }),
  output: listOfRows(candidateFields),
})

/** Everybody who handles orders of the project, with their load: the people of the dispatch board. */
export const listReceivers = call({
  route: 'GET workorder/v1/WXAppRole/GetReceivePerson',
  title: '接单人员',
  needs: menu.order.permissions.view,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    keyword: text('关键字', { max: 40, wire: 'KeyWord' }),
  }),
  output: listOfRows(candidateFields, { entity: 'workOrder' }),
})
