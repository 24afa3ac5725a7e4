import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { addGood, deleteGoods, editGood, getGood, listGoods, type InvoiceGood } from '../contract/setting.ts'
import { formatRate } from '../domain/tax.ts'
import { FeeItemsControl } from './fee-items-control.tsx'

/** What is invoiced as a good: fee items, top-ups (no tax), deposits turned to income. */
const usesOf = (good: InvoiceGood): string =>
  [good.isNoTax && '预存充值', good.isDeposit && '押金转收入', good.feeItemNames].filter(Boolean).join('、')

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
      { key: 'feeItemIds', control: FeeItemsControl },
    ],
  },
]

const deleteAction = createReasonAction(deleteGoods, {
  unit: '个开票商品',
  nameOf: (g: InvoiceGood) => g.goodName,
  disabledReason: g => (g.feeItemNames ? `还对应着 ${g.feeItemNames}` : undefined),
})

/** 开票商品, each with the fee items that are invoiced as it. */
export function GoodList() {
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
        rowActions={good => [form.editAction(good), deleteAction.row(good)]}
        isDimmed={good => good.state === 'off'}
      />
      {form.dialog}
    </>
  )
}
