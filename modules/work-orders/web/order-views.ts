import { ref } from '#kit/contract/field.ts'
import type { ListView } from '#kit/web/list/list-views.tsx'

/** What has the least time left first; where no clock runs, last. */
const byTimeLeft = 'nextDeadline'

/** Presets of the list of orders; the ids are those that the queues of the workbench name. */
export const orderViews: readonly Omit<ListView, 'own'>[] = [
  { id: '', name: '未完结', filter: { view: 'open' }, order: byTimeLeft },
  { id: 'assigned', name: '待我处理', filter: { view: 'assigned' }, order: byTimeLeft },
  { id: 'late', name: '已超时', filter: { view: 'late' }, order: byTimeLeft },
  { id: 'unrated', name: '待评价', filter: { view: 'unrated' } },
  { id: 'all', name: '全部', filter: {} },
  { id: 'concerned', name: '与我有关', filter: { view: 'concerned' } },
  { id: 'dueSoon', name: '即将超时', filter: { view: 'dueSoon' }, order: byTimeLeft },
  { id: 'suspended', name: '挂起', filter: { view: 'suspended' } },
  { id: 'expedited', name: '被催办', filter: { view: 'expedited' }, order: byTimeLeft },
  { id: 'approval', name: '待批准', filter: { waitsForApproval: true }, order: byTimeLeft },
  { id: 'pool', name: '可抢工单', filter: { view: 'pool' }, order: byTimeLeft },
  { id: 'unpaid', name: '待付款', filter: { view: 'unpaid' } },
  { id: 'unratedByOwner', name: '未评价', filter: { isFinished: true, isRated: false } },
  { id: 'lostHandler', name: '处理人无权限', filter: { view: 'lostHandler' }, order: byTimeLeft },
  { id: 'unread', name: '未读', filter: { view: 'unread' } },
]

/** Filters of the list in order; the last ones are what figures of the statistics name. */
export const orderFilters = [
  'state',
  'level',
  'category',
  'source',
  'typeId',
  'buildCode',
  'roomCode',
  'areaId',
  'handlerId',
  'registerTime',
  'finishTime',
  'nextDeadline',
  'reporterPhone',
  'expediteCount',
  'reworkCount',
  'score',
  'payState',
  'view',
  'underTypeId',
  'personId',
  'respOvertime',
  'arriveOvertime',
  'finishOvertime',
  'isLate',
  'isAccepted',
  'isFinished',
  'isRated',
  'hasRating',
  'ratedHandlerId',
  'waitsForApproval',
] as const

/** Search members that are ids in the contract and are chosen by name here. */
export const extraOrderFilters = {
  underTypeId: ref('类型及下级', 'workOrderType'),
  personId: ref('相关人员', 'manager'),
  ratedHandlerId: ref('被评价的处理人', 'manager'),
}
