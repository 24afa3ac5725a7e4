import type { Row } from '#kit/contract/entity.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { exportManagers, manager } from '../contract/manager.ts'
import { buildManagerQuery, managerFilters, withAccountDetails, type ManagerFilter } from './manager-list.ts'

const columns = sheetColumns(manager.fields, [
  'realName',
  'loginCode',
  'mobile',
  'managerType',
  'roleNames',
  'place',
  'allProject',
  'showPrivacy',
  'totpOn',
  'wechatBound',
  'mustChange',
  'lastLoginTime',
  'lastLoginIp',
  'state',
  'remark',
  'createTime',
])

export const managerExport = exportHandlers<ManagerFilter>({
  kind: 'accounts.manager',
  name: '管理员',
  calls: exportManagers,
  entity: manager,
  columns,
  query: (input, { scope }) => {
    const { q, where } = buildManagerQuery(scope.ownerId, input)
    return { q, find: { filters: managerFilters, where } }
  },
  // The export reads whole rows of `manager` where it enriches them.
  enrichRows: (rows, { db, scope, app }) =>
    withAccountDetails(db, scope, app, rows as readonly Row<typeof manager>[]),
})
