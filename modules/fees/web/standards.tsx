import { useState } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { later } from '#kit/web/later.tsx'
import { listLink } from '#kit/web/list/query.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { inUse } from '#modules/estates/contract/estate.ts'
import { listRelations } from '../contract/bind.ts'
import {
  deleteStandards,
  feeStandard,
  listStandards,
  oneStandard,
  turnStandards,
  type FeeStandard,
} from '../contract/standard.ts'
import { priceRefusal } from '../domain/priced.ts'
import { menu } from '../module.ts'
import { standardShown } from './groups.ts'
import { places, see, since } from './places.ts'
import { turns } from './turn.ts'

const PriceDialog = later(() => import('./price.tsx').then(m => m.PriceDialog))
const CopyDialog = later(() => import('./price.tsx').then(m => m.CopyDialog))

export const removeStandard = withReason<FeeStandard>(deleteStandards, {
  what: '个收费标准',
  name: s => s.name,
  follows: ['有关联或账单的标准不能删除，可以停用'],
  presets: ['录入有误', '不再使用'],
})

export const turnStandard = turns<FeeStandard>(turnStandards, '收费标准')

const shown = columns(listStandards.output, [
  { key: 'code', width: 80 },
  { key: 'name', identity: true },
  { key: 'feeItemName', title: '收费项目' },
  { key: 'formulaType', title: '公式', width: 110 },
  'price',
  { key: 'priceFrom', drop: 1, render: s => since(s.priceFrom), text: s => since(s.priceFrom) },
  {
    key: 'cycleMonths',
    title: '账期',
    width: 96,
    align: 'left',
    render: s => cycleWords(s),
    text: s => cycleWords(s),
  },
  'chargeMode',
  { key: 'prorateMode', drop: 2 },
  { key: 'relations', width: 64 },
  { key: 'projectCode', title: '项目编码', aside: true },
  'state',
])

const cycleWords = (s: FeeStandard): string =>
  s.cycleType === 'once'
    ? '一次性'
    : `${s.cycleType === 'natural' ? '' : '对日 '}${s.cycleMonths === 1 ? '每月' : s.cycleMonths === 12 ? '每年' : `每 ${s.cycleMonths} 个月`}`

const views = [
  { id: '', name: '全部标准', filter: {} },
  { id: 'on', name: '启用', filter: { state: ['on'] } },
  { id: 'off', name: '已停用', filter: { state: ['off'] } },
]

export function Standards() {
  const navigate = useNavigate()
  const project = useProject()
  const [open, setOpen] = useState<{ readonly what: 'price' | 'copy'; readonly of: readonly FeeStandard[] }>()
  const close = (): void => setOpen(undefined)
  const verbs = (s: FeeStandard): Verbs => [
    {
      label: '调价',
      may: menu.standard.may.price,
      why: s.state === 'off' ? '标准已停用' : priceRefusal(s.formulaType),
      run: () => setOpen({ what: 'price', of: [s] }),
    },
    { label: '编辑', may: menu.standard.may.edit, run: () => navigate(see(places.editStandard, s.id)) },
    { label: '查看详情', may: menu.standard.may.view, run: () => navigate(see(places.standard, s.id)) },
    {
      label: '查看收费关联',
      may: menu.relation.may.view,
      run: () => navigate(listLink(places.relations, listRelations, { standardId: [String(s.id)] })),
    },
    {
      label: '批量绑定',
      may: menu.relation.may.batch,
      why: s.state === 'off' ? '标准已停用' : undefined,
      run: () => navigate(`${places.bind}?standard=${s.id}`),
    },
    { label: '复制到其他项目', may: menu.standard.may.copy, run: () => setOpen({ what: 'copy', of: [s] }) },
    turnStandard.row(s),
    removeStandard.row(s),
  ]
  return (
    <>
      <ListPage
        list={listStandards}
        what="收费标准"
        name="fees/standards"
        columns={shown}
        bar={['feeItemId', 'state']}
        views={views}
        primary={{
          label: '新增收费标准',
          may: menu.standard.may.add,
          why: project ? undefined : '请先在上方选择一个项目',
          run: () => navigate(places.addStandard),
        }}
        row={verbs}
        batch={[
          {
            label: '复制到其他项目',
            may: menu.standard.may.copy,
            run: t => setOpen({ what: 'copy', of: t.rows }),
          },
          ...turnStandard.batch,
          removeStandard.batch,
        ]}
        dim={s => s.state === 'off'}
        drawer={{
          title: s => s.name,
          status: s => <Choice of={inUse} value={s.state} />,
          one: oneStandard,
          groups: standardShown,
          history: feeStandard.name,
          page: s => void navigate(see(places.standard, s.id)),
          verbs,
        }}
      />
      {open?.what === 'price' && <PriceDialog of={open.of[0]!} onClose={close} />}
      {open?.what === 'copy' && <CopyDialog of={open.of} onClose={close} />}
    </>
  )
}
