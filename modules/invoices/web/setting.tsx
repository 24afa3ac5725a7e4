import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { columns } from '#kit/web/columns.tsx'
import { yuan } from '#kit/web/figure.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Skeleton, Trouble } from '#kit/web/list/states.tsx'
import { withReason } from '#kit/web/acts.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { Tabbed } from '#kit/web/tabbed.tsx'
import { listEstates } from '#modules/estates/contract/estate.ts'
import { invoiceChannel, invoiceKind, prestoreMode } from '../contract/choices.ts'
import {
  addGood,
  deleteGoods,
  editGood,
  listGoods,
  listSets,
  oneGood,
  type InvoiceGood,
  type InvoiceSet,
} from '../contract/set.ts'
import { deleteTitles, editTitle, listTitles, type InvoiceTitle } from '../contract/title.ts'
import { rateWords } from '../domain/tax.ts'
import { menu } from '../module.ts'
import { ItemsControl } from './items-control.tsx'
import { titleAsks, titleRules } from './title-asks.tsx'
import './invoices.css'

const SetDialog = later(() => import('./set-dialog.tsx').then(m => m.SetDialog))

function One({
  of: s,
  name,
  onEdit,
}: {
  readonly of: InvoiceSet
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
          <dd>{s.limitAmount === undefined ? '不限' : yuan(s.limitAmount, true)}</dd>
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
function Sets() {
  const asked = useCall(listSets, {}, { quiet: true, project: 0 })
  const estates =
    useCall(listEstates, { page: 1, size: 1000 } as never, { quiet: true, project: 0 }).data?.rows ?? []
  const may = usePermission()
  const project = useSession(s => s.project?.code)
  const [open, setOpen] = useState<InvoiceSet | 'company' | 'project'>()
  if (asked.isError) return <Trouble error={asked.error} retry={() => void asked.refetch()} />
  if (!asked.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <Skeleton rows={6} />
      </div>
    )
  const name = (s: InvoiceSet): string =>
    s.estateCode ? (estates.find(e => e.projectCode === s.estateCode)?.name ?? s.estateCode) : '全公司'
  const whole = asked.data.some(s => !s.estateCode)
  const own = project !== undefined && project !== '0' && asked.data.some(s => s.estateCode === project)
  return (
    <div className="invoice-sets">
      {asked.data.map(s => (
        <One
          key={s.id}
          of={s}
          name={name(s)}
          onEdit={may(menu.setting.may.edit) ? () => setOpen(s) : undefined}
        />
      ))}
      {!asked.data.length && <p>还没有开票设置。先填写公司的销方资料，之后项目可以另设。</p>}
      {may(menu.setting.may.add) && (
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
        <SetDialog
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

const goods = columns(listGoods.output, [
  { key: 'goodName', identity: true, width: 140 },
  { key: 'shortName', drop: 1 },
  { key: 'taxCode', width: 178 },
  {
    key: 'taxRate',
    width: 84,
    render: g => (g.isNoTax ? '不征税' : rateWords(g.taxRate)),
    text: g => rateWords(g.taxRate),
  },
  { key: 'unit', drop: 2 },
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
      { key: 'feeItemIds', wide: true, control: ItemsControl },
    ],
  },
]

const dropGood = withReason(deleteGoods, {
  what: '个开票商品',
  name: (g: InvoiceGood) => g.goodName,
  why: g => (g.feeItemNames ? `还对应着 ${g.feeItemNames}` : undefined),
})

/** What stands on lines, and which fee items are invoiced as it. */
function Goods() {
  const form = useEdit({
    what: '开票商品',
    add: addGood,
    edit: editGood,
    one: oneGood as never,
    name: (g: InvoiceGood) => g.goodName,
    groups: goodGroups,
    as: 'drawer',
  })
  return (
    <>
      <ListPage
        embedded
        size={20}
        name="invoices.goods"
        list={listGoods}
        what="开票商品"
        sought="名称/编码"
        columns={goods}
        filters={['state', 'isNoTax']}
        bar={['state']}
        primary={form.add}
        row={g => [form.edit(g), dropGood.row(g)]}
        dim={g => g.state === 'off'}
      />
      {form.dialog}
    </>
  )
}

const titles = columns(listTitles.output, [
  { key: 'title', identity: true, width: 200, grow: 1 },
  'titleType',
  { key: 'taxNo', width: 180 },
  { key: 'payerName', width: 120 },
  { key: 'addressPhone', drop: 2 },
  { key: 'bankAccount', drop: 2 },
  { key: 'email', drop: 1 },
  { key: 'lastTime' },
])

const dropTitle = withReason(deleteTitles, { what: '个抬头', name: (x: InvoiceTitle) => x.title })
const titleGroups = [{ keys: titleAsks([]).map(a => ({ ...a, help: undefined })) }]

/** Titles kept per payer. */
function Titles() {
  const form = useEdit({
    what: '抬头',
    edit: editTitle,
    rowIsWhole: true,
    name: (x: InvoiceTitle) => x.title,
    groups: titleGroups,
    rules: v => titleRules({ ...(v as object), kind: 'eNormal' }),
    as: 'drawer',
  })
  return (
    <>
      <ListPage
        embedded
        size={20}
        name="invoices.titles"
        list={listTitles}
        what="抬头"
        sought="抬头/缴费人"
        columns={titles}
        filters={['titleType', 'lastTime']}
        bar={['titleType']}
        row={x => [form.edit(x), { ...dropTitle.row(x), may: menu.invoice.may.open }]}
      />
      {form.dialog}
    </>
  )
}

/** 发票设置. */
export default function SettingPage() {
  return (
    <div className="invoice-setting">
      <Tabbed
        items={[
          { key: 'sets', label: '销方与平台', children: <Sets /> },
          { key: 'goods', label: '开票商品', children: <Goods /> },
          { key: 'titles', label: '抬头', children: <Titles /> },
        ]}
      />
    </div>
  )
}
