import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { listLink } from '#kit/web/list/list-address.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import type { Actions } from '#kit/web/action.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { listRelations } from '../contract/relation-calls.ts'
import { feeStandard, type FeeStandard } from '../contract/standard.ts'
import { deleteStandards, listStandards, getStandard, setStandardState } from '../contract/standard-calls.ts'
import { priceRefusal } from '../domain/price-change.ts'
import { menu } from '../module.ts'
import { standardDetailGroups } from './form-groups.ts'
import { paths, pathWithId, formatSince } from './paths.ts'
import { createStateActions } from './state-actions.ts'

const PriceDialog = lazyComponent(() => import('./price-dialogs.tsx').then(m => m.PriceDialog))
const CopyDialog = lazyComponent(() => import('./copy-dialog.tsx').then(m => m.CopyDialog))

export const removeStandard = createReasonAction<FeeStandard>(deleteStandards, {
  unit: '个收费标准',
  nameOf: s => s.name,
  consequences: ['有关联或账单的标准不能删除，可以停用'],
  reasonPresets: ['录入有误', '不再使用'],
})

export const standardStateActions = createStateActions<FeeStandard>(setStandardState, '收费标准')

const listColumns = buildColumns(listStandards.output, [
  { key: 'code', width: 80 },
  { key: 'name', identity: true },
  'feeItemName',
  { key: 'formulaType', title: '公式', width: 110 },
  'price',
  {
    key: 'priceFrom',
    hidePriority: 1,
    render: s => formatSince(s.priceFrom),
    text: s => formatSince(s.priceFrom),
  },
  {
    key: 'cycleMonths',
    title: '账期',
    width: 96,
    align: 'left',
    render: s => formatCycle(s),
    text: s => formatCycle(s),
  },
  'chargeMode',
  { key: 'prorateMode', hidePriority: 2 },
  { key: 'relations', width: 64 },
  { key: 'projectCode', title: '项目编码', hiddenByDefault: true },
  'state',
])

const formatMonths = (months: number): string =>
  months === 1 ? '每月' : months === 12 ? '每年' : `每 ${months} 个月`

const formatCycle = ({ cycleType, cycleMonths }: FeeStandard): string => {
  if (cycleType === 'once') return '一次性'
  return `${cycleType === 'natural' ? '' : '对日 '}${formatMonths(cycleMonths)}`
}

const views = [
  { id: '', name: '全部标准', filter: {} },
  { id: 'on', name: '启用', filter: { state: ['on'] } },
  { id: 'off', name: '已停用', filter: { state: ['off'] } },
]

export function Standards() {
  const navigate = useNavigate()
  const project = useProject()
  const [open, setOpen] = useState<{ readonly kind: 'price' | 'copy'; readonly of: readonly FeeStandard[] }>()
  const close = (): void => setOpen(undefined)
  const rowActions = (standard: FeeStandard): Actions => [
    {
      label: '调价',
      needs: menu.standard.permissions.price,
      disabledReason: standard.state === 'off' ? '标准已停用' : priceRefusal(standard.formulaType),
      run: () => setOpen({ kind: 'price', of: [standard] }),
    },
    {
      label: '编辑',
      needs: menu.standard.permissions.edit,
      run: () => navigate(pathWithId(paths.editStandard, standard.id)),
    },
    {
      label: '查看详情',
      needs: menu.standard.permissions.view,
      run: () => navigate(pathWithId(paths.standard, standard.id)),
    },
    {
      label: '查看收费关联',
      needs: menu.relation.permissions.view,
      run: () => navigate(listLink(paths.relations, listRelations, { standardId: [String(standard.id)] })),
    },
    {
      label: '批量绑定',
      needs: menu.relation.permissions.batch,
      disabledReason: standard.state === 'off' ? '标准已停用' : undefined,
      run: () => navigate(`${paths.bind}?standard=${standard.id}`),
    },
    {
      label: '复制到其他项目',
      needs: menu.standard.permissions.copy,
      run: () => setOpen({ kind: 'copy', of: [standard] }),
    },
    standardStateActions.row(standard),
    removeStandard.row(standard),
  ]
  return (
    <>
      <ListPage
        list={listStandards}
        itemName="收费标准"
        settingsKey="fees/standards"
        columns={listColumns}
        barFilters={['feeItemId', 'state']}
        views={views}
        primaryAction={{
          label: '新增收费标准',
          needs: menu.standard.permissions.add,
          disabledReason: project ? undefined : '请先选择项目',
          run: () => navigate(paths.addStandard),
        }}
        rowActions={rowActions}
        batchActions={[
          {
            label: '复制到其他项目',
            needs: menu.standard.permissions.copy,
            run: t => setOpen({ kind: 'copy', of: t.rows }),
          },
          ...standardStateActions.batch,
          removeStandard.batch,
        ]}
        isDimmed={s => s.state === 'off'}
        drawer={{
          title: s => s.name,
          status: s => <ChoiceStatus choices={enabledState} value={s.state} />,
          loadCall: getStandard,
          groups: standardDetailGroups,
          historyEntity: feeStandard.name,
          openAsPage: s => void navigate(pathWithId(paths.standard, s.id)),
          actions: rowActions,
        }}
      />
      {open?.kind === 'price' && <PriceDialog of={defined(open.of[0])} onClose={close} />}
      {open?.kind === 'copy' && <CopyDialog of={open.of} onClose={close} />}
    </>
  )
}
