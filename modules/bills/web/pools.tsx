import { Button, Drawer, Input, Modal } from 'antd'
import { useState } from 'react'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { validateReason } from '#kit/web/confirm.tsx'
import { NumberInput } from '#kit/web/controls/number-input.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { invalidate, useCall, useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { shape } from '#kit/contract/shape.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { sharePool, type SharePool } from '#modules/fees/contract/relation.ts'
import {
  addPool,
  correctPool,
  deletePools,
  editPool,
  listPools,
  getPool,
  previewPool,
  runPool,
} from '../contract/pool.ts'
import { menu } from '../module.ts'
import { UsageControl } from './usage-control.tsx'
import './generate.css'

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
      { key: 'standardId', wide: true, help: '只能选公式类型为“公摊”的标准；参加分摊的是月末关联着它的房屋' },
      { key: 'weightType', help: '用量取收费关联上的数量，没填的取当月户表的用量；系数取收费关联上的系数' },
      { key: 'totalAmount', help: '直接填总额，或填总量与单价' },
      { key: 'totalUsage', control: UsageControl, wide: false },
      'price',
      { key: 'vacantIncluded', help: '不含空置时，未售、待交付、空置的房屋不参加' },
      { key: 'dayWeight', help: '月中起止收费的按天数分摊' },
      { key: 'remark', wide: true },
    ],
  },
]

const shareShape = shape(nestedFieldsOf(previewPool.output.fields.rows!))
type PoolShare = NonNullable<typeof previewPool.output.T>['rows'][number]

const shareColumns = buildColumns<PoolShare>(shareShape as never, [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 90 },
  { key: 'weight', align: 'right', width: 90 },
  'amount',
  { key: 'sentence', grow: 2, width: 260, render: r => calculationText(r.sentence), text: r => r.sentence },
])

/** The amount stands beside it. */
const calculationText = (sentence: string): string => sentence.replace(/ = [\d,.]+ 元$/, '')

/** Who pays what of a pool, before it is billed and after. */
function PoolShareDrawer({ pool, onClose }: { readonly pool: SharePool; readonly onClose: () => void }) {
  const q = useCall(previewPool, { id: pool.id }, { staleMs: 0, quiet: true })
  const run = useSend(runPool, { quiet: true })
  const may = usePermission()
  const [said, setSaid] = useState<string>()
  const p = q.data
  const share = async (): Promise<void> => {
    try {
      const a = await run.mutateAsync({ id: pool.id })
      toast.success(
        `已生成 ${formatCount(a.count)} 张公摊账单，合计 ${displayYuan(a.amount, true)}${a.left ? `；${formatCount(a.left)} 户未参加` : ''}`,
      )
      onClose()
    } catch (e) {
      setSaid((e as Error).message)
    }
  }
  return (
    <Drawer
      open
      size={innerWidth < 900 ? '100%' : 820}
      title={`分摊：${pool.name} ${pool.month}`}
      onClose={onClose}
      footer={
        p && !p.refusal && pool.state === 'open' && may(menu.pool.permissions.share) ? (
          <Button type="primary" loading={run.isPending} onClick={() => void share()}>
            生成 {formatCount(p.rows.length ? p.count : 0)} 张账单，合计 {displayYuan(p.total, true)}
          </Button>
        ) : null
      }
    >
      {q.isPending ? (
        <RowSkeleton rows={8} />
      ) : !p ? (
        <ErrorState error={q.error} onRetry={() => void q.refetch()} />
      ) : (
        <div className="pool-split">
          <p>
            总额 <b className="figure">{displayYuan(p.total, true)}</b>，{formatCount(p.count)} 户参加
            {p.left.length ? `，${formatCount(p.left.length)} 户未参加` : ''}
            。合计与总额一分不差，尾差写在计算依据里。
          </p>
          {p.refusal && (
            <p className="bad" role="alert">
              {p.refusal}
            </p>
          )}
          {said && (
            <p className="bad" role="alert">
              {said}
            </p>
          )}
          {p.truncated && <p>下面先列 {formatCount(p.rows.length)} 户，合计与张数是全部的。</p>}
          {p.rows.length > 0 && (
            <div className="split-table" style={{ height: Math.min(480, 90 + p.rows.length * 36) }}>
              <DataTable<PoolShare>
                rows={p.rows}
                columns={shareColumns}
                keyOf={r => r.relationId}
                label="分摊明细"
                dense
              />
            </div>
          )}
          {p.left.length > 0 && (
            <section>
              <h3>未参加</h3>
              <ul>
                {p.left.slice(0, 100).map(l => (
                  <li key={l.relationId}>
                    {l.sourceName}：{l.reason}
                  </li>
                ))}
              </ul>
              {p.left.length > 100 && <p>另有 {formatCount(p.left.length - 100)} 户</p>}
            </section>
          )}
        </div>
      )}
    </Drawer>
  )
}

/** SHR-5: what was forgotten, when bills are paid already. */
function CorrectDialog({ pool, onClose }: { readonly pool: SharePool; readonly onClose: () => void }) {
  const sending = useSend(correctPool, { quiet: true })
  const [right, setRight] = useState<unknown>(pool.totalAmount)
  const [why, setWhy] = useState('')
  const [said, setSaid] = useState<string>()
  const run = async (): Promise<void> => {
    const fault = typeof right === 'number' ? validateReason(why) : '请填写正确的总额'
    if (fault) {
      setSaid(fault)
      return
    }
    try {
      const a = await sending.mutateAsync({ id: pool.id, right: right as number, remark: why.trim() })
      toast.success(`已新建更正公摊，差额 ${displayYuan(a.totalAmount ?? 0, true)}，分摊后生成账单`)
      onClose()
    } catch (e) {
      setSaid((e as Error).message)
    }
  }
  return (
    <Modal
      open
      title={`更正「${pool.name} ${pool.month}」`}
      okText="新建更正公摊"
      cancelText="取消"
      confirmLoading={sending.isPending}
      onOk={() => void run()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <p>
        已出账 {displayYuan(pool.totalAmount ?? 0, true)}
        。填写这个月正确的总额，系统按差额另建一个公摊，已缴的账单不动。
      </p>
      <label htmlFor="pool-right">正确的总额</label>
      <NumberInput
        field={correctPool.input.fields.right!}
        id="pool-right"
        value={right}
        onChange={setRight}
        onBlur={() => {}}
        disabled={false}
        status={undefined}
        describedBy={undefined}
      />
      <label htmlFor="pool-why">更正原因</label>
      <Input.TextArea
        id="pool-why"
        value={why}
        maxLength={200}
        autoSize={{ minRows: 2 }}
        onChange={e => {
          setWhy(e.target.value)
          setSaid(undefined)
        }}
      />
      <p role="alert" style={{ color: 'var(--bad)', minHeight: 22 }}>
        {said}
      </p>
    </Modal>
  )
}

/** 公摊: common costs of a month, shared out to the fen (C2.7). */
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
    initial: { vacantIncluded: true, dayWeight: false } as never,
    editDisabledReason: p => (p.state === 'open' ? undefined : '已出账，撤销批次后可改'),
    rules: v =>
      v.totalAmount === undefined && (v.totalUsage === undefined || v.price === undefined)
        ? { totalAmount: '请填写总额，或总量与单价' }
        : undefined,
  })
  const [open, setOpen] = useState<SharePool>()
  const [fixing, setFixing] = useState<SharePool>()
  return (
    <>
      <ListPage
        list={listPools}
        itemName="公摊"
        columns={listColumns}
        barFilters={['month', 'state']}
        primaryAction={form.addAction}
        rowActions={p => [
          {
            label: p.state === 'open' ? '分摊' : '看分摊',
            needs: menu.pool.permissions.view,
            run: () => setOpen(p),
          },
          form.editAction(p),
          p.state === 'shared'
            ? { label: '更正', needs: menu.pool.permissions.share, run: () => setFixing(p) }
            : undefined,
          p.batchNo
            ? {
                label: '查看账单',
                run: () =>
                  navigateTo(
                    `/finance/chargemanage/chargeList?projectCode=${p.projectCode}&batchNo=${p.batchNo}&anyState=1`,
                  ),
              }
            : undefined,
          removePools.row(p),
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
      {fixing && (
        <CorrectDialog
          pool={fixing}
          onClose={() => {
            setFixing(undefined)
            void invalidate(['sharePool'])
          }}
        />
      )}
    </>
  )
}
