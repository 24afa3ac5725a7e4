import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { day, lookup, ref, text } from '#kit/contract/field.ts'
import { calendarYears } from '#kit/contract/rules.ts'
import { deletedIdField, listOf, noData, recordOf, shape } from '#kit/contract/shape.ts'

/** Somebody decides for another from one day to another (APR-6). */
export const processDelegate = entity(
  'processDelegate',
  '审批委托',
  { table: 'process_delegate', tenancy: 'company', title: 'delegateName', order: ['-beginDate', 'id'] },
  {
    principalId: ref('委托人', 'manager', { required: true, wire: 'PrincipalID', hiddenIn: ['form'] }),
    principalName: lookup('委托人', 'principalId', 'realName', { wire: 'PrincipalName' }),
    delegateId: ref('受托人', 'manager', { required: true, wire: 'DelegateID', hiddenIn: ['table'] }),
    delegateName: lookup('受托人', 'delegateId', 'realName', { wire: 'DelegateName' }),
    beginDate: day('开始日期', { required: true, rule: calendarYears, wire: 'BeginDate' }),
    endDate: day('结束日期', { required: true, rule: calendarYears, wire: 'EndDate' }),
    reason: text('原因', { max: 200 }),
  },
)

export type ProcessDelegate = Row<typeof processDelegate>

const { delegateId, beginDate, endDate, reason } = processDelegate.fields

/** The caller's own. */
export const listOwnDelegates = call({
  route: 'GET ProcessDelegate/GetMine',
  title: '查询我的审批委托',
  needs: everyone,
  input: shape({}),
  output: listOf(processDelegate),
})

export const addDelegate = call({
  route: 'POST ProcessDelegate/Post',
  title: '新增审批委托',
  needs: everyone,
  affects: ['processDelegate'],
  input: shape({ delegateId, beginDate, endDate, reason }),
  output: recordOf(processDelegate),
})

export const endDelegate = call({
  route: 'DELETE ProcessDelegate/Delete',
  title: '撤销审批委托',
  needs: everyone,
  affects: ['processDelegate'],
  input: shape({ id: deletedIdField }),
  output: noData,
})
