import { call, everyone } from '#kit/contract/call.ts'
import { choiceTable, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { pageOfRows, listOfRows, shape, singleValue } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** The actions of audit entries. */
export const auditAction = choiceTable('AuditAction', '动作', {
  insert: ['insert', '新增'],
  update: ['update', '修改'],
  delete: ['delete', '删除'],
  restore: ['restore', '恢复'],
  purge: ['purge', '彻底删除'],
  state: ['state', '改变状态'],
  import: ['import', '导入'],
  export: ['export', '导出'],
  grant: ['grant', '授权'],
  signin: ['signin', '登录'],
  reveal: ['reveal', '查看完整信息'],
  refused: ['refused', '拒绝'],
})

const operationFields = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  operTime: moment('时间', { required: true, wire: 'OperTime' }),
  operatorId: idOf('操作人编号', { required: true, wire: 'OperatorID' }),
  operatorName: text('操作人', { required: true }),
  ip: text('IP'),
  title: text('操作', { required: true, wire: ['Action', 'Title'] }),
  call: text('接口', { wire: 'Call' }),
  projectCode: text('项目'),
  isSuccessful: flag('成功', { required: true, wire: 'Success' }),
  content: text('结果', { wire: 'Content' }),
  tookMs: int('耗时', { unit: '毫秒', wire: 'TookMs' }),
}

export const listOperations = call({
  route: 'GET Operationlog/Get',
  title: '查询操作日志',
  needs: menu.log.permissions.view,
  input: shape({
    page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
    size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
    keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
    operTimeFrom: moment('时间起'),
    operTimeTo: moment('时间止'),
    operatorIds: { ...list('操作人', { max: 100, wire: ['OperatorIDs', 'OperatorID'] }), target: 'manager' },
    failed: flag('只看失败', { wire: 'Failed' }),
  }),
  output: pageOfRows(operationFields),
})

const auditEntryFields = {
  time: moment('时间', { required: true, wire: 'OperTime' }),
  operatorName: text('操作人'),
  action: text('动作', { required: true }),
  entity: text('对象', { required: true, wire: 'EntityName' }),
  entityId: idOf('对象编号', { wire: 'EntityID' }),
  reason: text('原因'),
  changes: lines('变更', {
    field: text('字段', { required: true, wire: 'Field' }),
    before: text('变更前', { wire: 'Before' }),
    after: text('变更后', { wire: 'After' }),
  }),
}

/** One operation with what it did to each record, before and after. */
export const getOperation = call({
  route: 'GET Operationlog/GetOne',
  title: '查看操作日志',
  needs: menu.log.permissions.view,
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    operTime: moment('时间', { required: true, wire: 'OperTime' }),
  }),
  output: shape({
    ...operationFields,
    input: text('提交内容', { wire: 'Input' }),
    entries: lines('变更', auditEntryFields, { wire: 'Acts' }),
  }),
})

/** Everything that happened to one record, latest first. */
export const listRecordHistory = call({
  route: 'GET Operationlog/GetHistory',
  title: '查询变更记录',
  needs: menu.log.permissions.view,
  input: shape({
    entity: text('对象', { required: true, max: 60, wire: 'EntityName' }),
    entityId: idOf('对象编号', { required: true, min: 1, wire: 'EntityID' }),
  }),
  output: listOfRows(auditEntryFields),
})

/**
 * One phone or document in full, for somebody who may see them and the record (PERM-7). That it was shown is
 * logged.
 */
export const revealPersonalData = call({
  route: 'POST Operationlog/PostShown',
  title: '查看完整信息',
  needs: everyone,
  openToKeys: true,
  input: shape({
    entity: text('对象', { required: true, max: 60, wire: 'EntityName' }),
    entityId: idOf('对象编号', { required: true, min: 1, wire: 'EntityID' }),
    field: text('字段', { required: true, max: 60, wire: 'Field' }),
  }),
  output: singleValue(text('完整信息', { required: true })),
})
