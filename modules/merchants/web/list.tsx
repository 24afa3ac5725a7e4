import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import {
  deleteMerchants,
  exportMerchants,
  importMerchants,
  listMerchants,
  merchant,
  merchantState,
  oneMerchant,
  type Merchant,
} from '../contract/merchant.ts'
import { menu } from '../module.ts'
import { shownGroups } from './groups.ts'
import { places, seeMerchant } from './places.ts'

export const removeMerchant = withReason<Merchant>(deleteMerchants, {
  what: '家商家',
  name: m => m.name,
  follows: ['还有员工或余额没有结清的商家不能删除；不再营业请改为注销'],
  presets: ['录入有误', '重复录入'],
})

const shown = columns(listMerchants.output, [
  { key: 'name', identity: true, grow: 2 },
  { key: 'merchantNo', drop: 2 },
  { key: 'roomPath', title: '商铺', width: 120, grow: 1 },
  { key: 'category', drop: 2 },
  { key: 'contactName', drop: 1 },
  { key: 'contactPhone', fit: true },
  'creditLimit',
  'balance',
  { key: 'loginAccount', aside: true },
  { key: 'createTime', title: '登记时间', aside: true },
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
  const verbs = (m: Merchant): Verbs => [
    { label: '编辑', may: menu.merchant.may.edit, run: () => navigate(`${places.edit}?id=${m.id}`) },
    { label: '查看详情', may: menu.merchant.may.view, run: () => navigate(seeMerchant(m.id)) },
    removeMerchant.row(m),
  ]
  return (
    <ListPage
      list={listMerchants}
      what="商家"
      columns={shown}
      filters={['state', 'category', 'creditLimit', 'balance', 'createTime']}
      bar={[]}
      views={views}
      import={project ? importMerchants : undefined}
      importGiven={{ projectCode: project }}
      export={exportMerchants}
      primary={{ label: '新增商家', may: menu.merchant.may.add, run: () => navigate(places.add) }}
      row={verbs}
      batch={[removeMerchant.batch]}
      dim={m => m.state === 'ended'}
      drawer={{
        title: m => m.name,
        status: m => <Choice of={merchantState} value={m.state} />,
        one: oneMerchant,
        groups: shownGroups,
        history: merchant.name,
        page: m => void navigate(seeMerchant(m.id)),
        verbs,
      }}
    />
  )
}
