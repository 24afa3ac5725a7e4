import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { listLink } from '#kit/web/list/query.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { inUse } from '#modules/estates/contract/estate.ts'
import { deleteItems, feeItem, listItems, oneItem, turnItems, type FeeItem } from '../contract/item.ts'
import { listStandards } from '../contract/standard.ts'
import { menu } from '../module.ts'
import { itemShown } from './groups.ts'
import { places, see } from './places.ts'
import { turns } from './turn.ts'

const remove = withReason<FeeItem>(deleteItems, {
  what: '个收费项目',
  name: i => i.name,
  follows: ['有收费标准的项目不能删除，可以停用'],
  presets: ['录入有误', '不再收取'],
})

const turn = turns<FeeItem>(turnItems, '收费项目')

const shown = columns(listItems.output, [
  { key: 'code', width: 88 },
  { key: 'name', identity: true },
  'feeType',
  'category',
  { key: 'incomeKind', roomy: true },
  'scene',
  'billMode',
  { key: 'lateFeeSwitch', drop: 1 },
  { key: 'autoDeduct', drop: 1 },
  { key: 'inRate', drop: 2 },
  { key: 'sort', drop: 2 },
  { key: 'standards', width: 64 },
  'state',
])

const views = [
  { id: '', name: '全部项目', filter: {} },
  { id: 'cyclic', name: '周期性', filter: { feeType: ['cyclic'] } },
  { id: 'metered', name: '抄表', filter: { feeType: ['metered', 'shared'] } },
  { id: 'once', name: '临时与押金', filter: { feeType: ['temporary', 'deposit'] } },
  { id: 'off', name: '已停用', filter: { state: ['off'] } },
]

export function Items() {
  const navigate = useNavigate()
  const verbs = (i: FeeItem): Verbs => [
    { label: '编辑', may: menu.item.may.edit, run: () => navigate(see(places.editItem, i.id)) },
    {
      label: '查看收费标准',
      may: menu.standard.may.view,
      run: () =>
        navigate(`${listLink(places.setting, listStandards, { feeItemId: [String(i.id)] })}&tab=standards`),
    },
    turn.row(i),
    remove.row(i),
  ]
  return (
    <ListPage
      list={listItems}
      what="收费项目"
      name="fees/items"
      columns={shown}
      bar={['feeType', 'scene', 'state']}
      views={views}
      primary={{ label: '新增收费项目', may: menu.item.may.add, run: () => navigate(places.addItem) }}
      row={verbs}
      batch={[...turn.batch, remove.batch]}
      dim={i => i.state === 'off'}
      drawer={{
        title: i => i.name,
        status: i => <Choice of={inUse} value={i.state} />,
        one: oneItem,
        groups: itemShown,
        history: feeItem.name,
        verbs,
      }}
    />
  )
}
