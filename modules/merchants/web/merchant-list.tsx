import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deleteMerchants,
  exportMerchants,
  importMerchants,
  listMerchants,
  merchant,
  merchantState,
  getMerchant,
  type Merchant,
} from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { detailGroups } from './merchant-groups.ts'
import { paths, merchantPath } from './paths.ts'

export const deleteMerchantAction = createReasonAction<Merchant>(deleteMerchants, {
  unit: '家商家',
  nameOf: m => m.name,
  consequences: ['还有员工或余额没有结清的商家不能删除；不再营业请改为注销'],
  reasonPresets: ['录入有误', '重复录入'],
})

const listColumns = buildColumns(listMerchants.output, [
  { key: 'name', identity: true, grow: 2 },
  { key: 'merchantNo', hidePriority: 2 },
  { key: 'roomPath', title: '商铺', width: 120, grow: 1 },
  { key: 'category', hidePriority: 2 },
  { key: 'contactName', hidePriority: 1 },
  { key: 'contactPhone', fitContent: true },
  'creditLimit',
  'balance',
  { key: 'loginAccount', hiddenByDefault: true },
  { key: 'createTime', title: '登记时间', hiddenByDefault: true },
  'state',
])

const views = [
  { id: '', name: '营业', filter: { state: ['open'] } },
  { id: 'shut', name: '停业', filter: { state: ['shut'] } },
  { id: 'ended', name: '已注销', filter: { state: ['ended'] } },
  { id: 'all', name: '全部', filter: { state: ['open', 'shut', 'ended'] } },
]

/** Found by a part of the name, its pinyin or initials, number, contact or telephone. */
export default function MerchantsPage() {
  const navigate = useNavigate()
  const project = useProject()
  const verbs = (m: Merchant): Actions => [
    { label: '编辑', needs: menu.merchant.permissions.edit, run: () => navigate(`${paths.edit}?id=${m.id}`) },
    { label: '查看详情', needs: menu.merchant.permissions.view, run: () => navigate(merchantPath(m.id)) },
    deleteMerchantAction.row(m),
  ]
  return (
    <ListPage
      list={listMerchants}
      itemName="商家"
      columns={listColumns}
      filters={['state', 'category', 'creditLimit', 'balance', 'createTime']}
      barFilters={[]}
      views={views}
      import={project ? importMerchants : undefined}
      importInput={{ projectCode: project }}
      export={exportMerchants}
      primaryAction={{
        label: '新增商家',
        needs: menu.merchant.permissions.add,
        run: () => navigate(paths.add),
      }}
      rowActions={verbs}
      batchActions={[deleteMerchantAction.batch]}
      isDimmed={m => m.state === 'ended'}
      drawer={{
        title: m => m.name,
        status: m => <ChoiceStatus choices={merchantState} value={m.state} />,
        loadCall: getMerchant,
        groups: detailGroups,
        historyEntity: merchant.name,
        openAsPage: m => void navigate(merchantPath(m.id)),
        actions: verbs,
      }}
    />
  )
}
