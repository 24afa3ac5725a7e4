import { paths } from './paths.ts'
import { useState } from 'react'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { invalidate } from '#kit/web/query.ts'
import { sharePool, type SharePool } from '../contract/share-pool.ts'
import { addPool, deletePools, editPool, listPools, getPool } from '../contract/pool.ts'
import { menu } from '../module.ts'
import { UsageControl } from './usage-control.tsx'
import './generate.css'
import { PoolShareDrawer } from './pool-share-drawer.tsx'
import { CorrectDialog } from './pool-correct-dialog.tsx'

const removePools = createReasonAction<SharePool>(deletePools, {
  unit: '个公摊',
  nameOf: p => `${p.name} ${p.month}`,
  disabledReason: p => (p.state === 'shared' ? '已出账，请先撤销批次' : undefined),
  reasonPresets: ['录入有误'],
})

const listColumns = buildColumns(listPools.output, [
  { key: 'name', identity: true, grow: 1 },
  'month',
  'feeItemName',
  { key: 'standardName', hidePriority: 1 },
  'weightType',
  'totalAmount',
  { key: 'totalUsage', hidePriority: 1 },
  { key: 'price', hidePriority: 1 },
  'state',
  { key: 'batchNo', hidePriority: 1 },
])

const formGroups = [
  {
    keys: [
      'name',
      'month',
      { key: 'standardId', wide: true, help: '只能选公式类型为“公摊”的标准；月末已关联该标准的房屋参加分摊' },
      { key: 'weightType', help: '用量取收费关联上的数量，未填写的取当月户表用量；系数取收费关联上的系数' },
      { key: 'totalAmount', help: '直接填总额，或填总量与单价' },
      { key: 'totalUsage', control: UsageControl, wide: false },
      'price',
      { key: 'vacantIncluded', help: '不含空置时，未售、待交付、空置的房屋不参加' },
      { key: 'dayWeight', help: '月中起止收费的按天数分摊' },
      'remark',
    ],
  },
]

/** 公摊: the shared costs of a month (C2.7). */
export default function PoolsPage() {
  const form = useEdit({
    itemName: '公摊',
    add: addPool,
    edit: editPool,
    load: getPool,
    isRowComplete: true,
    nameOf: (p: SharePool) => p.name,
    groups: formGroups,
    presentation: 'drawer',
    initial: { vacantIncluded: true, dayWeight: false },
    editDisabledReason: p => (p.state === 'open' ? undefined : '已出账，撤销批次后可改'),
    rules: v =>
      v.totalAmount === undefined && (v.totalUsage === undefined || v.price === undefined)
        ? { totalAmount: '请填写总额，或总量与单价' }
        : undefined,
  })
  const [open, setOpen] = useState<SharePool>()
  const [correcting, setCorrecting] = useState<SharePool>()
  return (
    <>
      <ListPage
        list={listPools}
        itemName="公摊"
        columns={listColumns}
        barFilters={['month', 'state']}
        primaryAction={form.addAction}
        rowActions={pool => [
          {
            label: pool.state === 'open' ? '分摊' : '查看分摊',
            needs: menu.pool.permissions.view,
            run: () => setOpen(pool),
          },
          form.editAction(pool),
          pool.state === 'shared'
            ? { label: '更正', needs: menu.pool.permissions.share, run: () => setCorrecting(pool) }
            : undefined,
          pool.batchNo
            ? {
                label: '查看账单',
                run: () =>
                  navigateTo(
                    `${paths.bills}?projectCode=${pool.projectCode}&batchNo=${pool.batchNo}&anyState=1`,
                  ),
              }
            : undefined,
          removePools.row(pool),
        ]}
        batchActions={[removePools.batch]}
        drawer={{ title: p => `${p.name} ${p.month}`, historyEntity: sharePool.name }}
      />
      {form.dialog}
      {open && (
        <PoolShareDrawer
          pool={open}
          onClose={() => {
            setOpen(undefined)
            void invalidate(['sharePool'])
          }}
        />
      )}
      {correcting && (
        <CorrectDialog
          pool={correcting}
          onClose={() => {
            setCorrecting(undefined)
            void invalidate(['sharePool'])
          }}
        />
      )}
    </>
  )
}
