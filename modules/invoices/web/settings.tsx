import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { LazyTabs } from '#kit/web/lazy-tabs.tsx'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { invoiceChannel, invoiceKind, prestoreMode } from '../contract/choices.ts'
import {
  addGood,
  deleteGoods,
  editGood,
  listGoods,
  listSettings,
  getGood,
  type InvoiceGood,
  type InvoiceSetting,
} from '../contract/setting.ts'
import { deleteTitles, editTitle, listTitles, type InvoiceTitle } from '../contract/title.ts'
import { formatRate } from '../domain/tax.ts'
import { menu } from '../module.ts'
import { FeeItemsControl } from './fee-items-control.tsx'
import { titleFormFields, findTitleFaults } from './title-form.tsx'
import './invoices.css'

const SettingDialog = lazyComponent(() => import('./setting-dialog.tsx').then(m => m.SettingDialog))

function SettingCard({
  of: s,
  name,
  onEdit,
}: {
  readonly of: InvoiceSetting
  readonly name: string
  readonly onEdit: (() => void) | undefined
}) {
  const state =
    s.channel === 'manual' ? (
      <Status tone="open">手工登记</Status>
    ) : s.simulated ? (
      <Status tone="todo">本机模拟，不产生真发票</Status>
    ) : (
      <Status tone="done">{labelOf(invoiceChannel, s.channel)}</Status>
    )
  return (
    <section>
      <h2>
        {name}
        {state}
        <span />
        {onEdit && <Button onClick={onEdit}>修改</Button>}
      </h2>
      <dl>
        <div>
          <dt>销方</dt>
          <dd>{s.companyName}</dd>
        </div>
        <div>
          <dt>税号</dt>
          <dd>{s.taxNo}</dd>
        </div>
        <div>
          <dt>地址电话</dt>
          <dd>{s.address ?? '--'}</dd>
        </div>
        <div>
          <dt>开户行账号</dt>
          <dd>{s.bank ?? '--'}</dd>
        </div>
        <div>
          <dt>开票人</dt>
          <dd>{s.drawer}</dd>
        </div>
        <div>
          <dt>可开票种</dt>
          <dd>{s.kinds.map(k => labelOf(invoiceKind, k)).join('、')}</dd>
        </div>
        <div>
          <dt>单张限额</dt>
          <dd>{s.limitAmount === undefined ? '不限' : displayYuan(s.limitAmount, true)}</dd>
        </div>
        <div>
          <dt>预存开票</dt>
          <dd>{labelOf(prestoreMode, s.prestoreMode)}</dd>
        </div>
        <div>
          <dt>明年账期</dt>
          <dd>{s.refuseNextYear ? '不预开' : '可以预开'}</dd>
        </div>
        <div>
          <dt>部分缴费</dt>
          <dd>{s.paidUpOnly ? '账单缴清才开票' : '缴多少可开多少'}</dd>
        </div>
        {s.channel === 'platform' && !s.simulated && (
          <>
            <div>
              <dt>平台地址</dt>
              <dd>{s.apiBase ?? '--'}</dd>
            </div>
            <div>
              <dt>平台密钥</dt>
              <dd>{s.keyed ? '已保存，不显示' : '--'}</dd>
            </div>
          </>
        )}
      </dl>
    </section>
  )
}

/** Who sells, by which platform, and the switches of INV-2 and INV-6. */
function SettingList() {
  const asked = useCall(listSettings, {}, { quiet: true, project: 0 })
  const estates = useCall(listEstates, { page: 1, size: 1000 }, { quiet: true, project: 0 }).data?.rows ?? []
  const may = usePermission()
  const project = useSession(s => s.project?.code)
  const [open, setOpen] = useState<InvoiceSetting | 'company' | 'project'>()
  if (asked.isError) return <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const name = (s: InvoiceSetting): string =>
    s.estateCode ? (estates.find(e => e.projectCode === s.estateCode)?.name ?? s.estateCode) : '全公司'
  const whole = asked.data.some(s => !s.estateCode)
  const own = project !== undefined && project !== '0' && asked.data.some(s => s.estateCode === project)
  return (
    <div className="invoice-sets">
      {asked.data.map(s => (
        <SettingCard
          key={s.id}
          of={s}
          name={name(s)}
          onEdit={may(menu.setting.permissions.edit) ? () => setOpen(s) : undefined}
        />
      ))}
      {!asked.data.length && <p>还没有开票设置。先填写公司的销方资料，之后项目可以另设。</p>}
      {may(menu.setting.permissions.add) && (
        <p>
          {!whole && (
            <Button type="primary" onClick={() => setOpen('company')}>
              设置全公司
            </Button>
          )}{' '}
          {project && project !== '0' && !own && (
            <Button onClick={() => setOpen('project')}>为当前项目另设</Button>
          )}
        </p>
      )}
      {open && (
        <SettingDialog
          of={typeof open === 'object' ? open : undefined}
          base={asked.data.find(s => !s.estateCode)}
          estate={open === 'project' ? project : undefined}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

/**
 * Which fee items are invoiced as it, and what else is: top-ups as what bears no tax, deposits turned to
 * income as the one chosen for them.
 */
const usesOf = (g: InvoiceGood): string =>
  [g.isNoTax && '预存充值', g.isDeposit && '押金转收入', g.feeItemNames].filter(Boolean).join('、')

const goodColumns = buildColumns(listGoods.output, [
  { key: 'goodName', identity: true, width: 140 },
  { key: 'shortName', hidePriority: 1 },
  { key: 'taxCode', width: 178 },
  {
    key: 'taxRate',
    width: 84,
    render: g => (g.isNoTax ? '不征税' : formatRate(g.taxRate)),
    text: g => formatRate(g.taxRate),
  },
  { key: 'unit', hidePriority: 2 },
  {
    key: 'feeItemNames',
    title: '用于',
    width: 220,
    grow: 1,
    render: g => usesOf(g) || undefined,
    text: usesOf,
  },
  'state',
])

const goodGroups = [
  {
    keys: [
      'goodName',
      'shortName',
      'taxCode',
      'taxRate',
      'unit',
      'state',
      'isNoTax',
      'isDeposit',
      { key: 'feeItemIds', wide: true, control: FeeItemsControl },
    ],
  },
]

const removeGood = createReasonAction(deleteGoods, {
  unit: '个开票商品',
  nameOf: (g: InvoiceGood) => g.goodName,
  disabledReason: g => (g.feeItemNames ? `还对应着 ${g.feeItemNames}` : undefined),
})

/** What stands on lines, and which fee items are invoiced as it. */
function GoodList() {
  const form = useEdit({
    itemName: '开票商品',
    add: addGood,
    edit: editGood,
    load: getGood,
    nameOf: (g: InvoiceGood) => g.goodName,
    groups: goodGroups,
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        embedded
        pageSize={20}
        settingsKey="invoices.goods"
        list={listGoods}
        itemName="开票商品"
        keywordPlaceholder="名称/编码"
        columns={goodColumns}
        filters={['state', 'isNoTax']}
        barFilters={['state']}
        primaryAction={form.addAction}
        rowActions={g => [form.editAction(g), removeGood.row(g)]}
        isDimmed={g => g.state === 'off'}
      />
      {form.dialog}
    </>
  )
}

const titleColumns = buildColumns(listTitles.output, [
  { key: 'title', identity: true, width: 200, grow: 1 },
  'titleType',
  { key: 'taxNo', width: 180 },
  { key: 'payerName', width: 120 },
  { key: 'addressPhone', hidePriority: 2 },
  { key: 'bankAccount', hidePriority: 2 },
  { key: 'email', hidePriority: 1 },
  { key: 'lastTime' },
])

const removeTitle = createReasonAction(deleteTitles, { unit: '个抬头', nameOf: (x: InvoiceTitle) => x.title })
const titleGroups = [{ keys: titleFormFields([]).map(a => ({ ...a, help: undefined })) }]

/** Titles kept per payer. */
function TitleList() {
  const form = useEdit({
    itemName: '抬头',
    edit: editTitle,
    isRowComplete: true,
    nameOf: (x: InvoiceTitle) => x.title,
    groups: titleGroups,
    rules: v => findTitleFaults({ ...(v as object), kind: 'eNormal' }),
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        embedded
        pageSize={20}
        settingsKey="invoices.titles"
        list={listTitles}
        itemName="抬头"
        keywordPlaceholder="抬头/缴费人"
        columns={titleColumns}
        filters={['titleType', 'lastTime']}
        barFilters={['titleType']}
        rowActions={x => [
          form.editAction(x),
          { ...removeTitle.row(x), needs: menu.invoice.permissions.open },
        ]}
      />
      {form.dialog}
    </>
  )
}

/** 发票设置. */
export default function SettingPage() {
  return (
    <div className="invoice-setting">
      <LazyTabs
        items={[
          { key: 'sets', label: '销方与平台', children: <SettingList /> },
          { key: 'goods', label: '开票商品', children: <GoodList /> },
          { key: 'titles', label: '抬头', children: <TitleList /> },
        ]}
      />
    </div>
  )
}
