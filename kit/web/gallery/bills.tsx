import { PrinterOutlined } from '@ant-design/icons'
import { sumFen } from '#kit/domain/money.ts'
import { createReasonAction } from '../record-actions.ts'
import { buildColumns } from '../columns.tsx'
import { displayYuan } from '../numbers.tsx'
import { Equation } from '../detail/detail-drawer.tsx'
import { FormPage } from '../form/form-page.tsx'
import { useEdit } from '../form/use-edit.tsx'
import { ListPage } from '../list/list-page.tsx'
import { ChoiceStatus } from '../status.tsx'
import { toast } from '../toast.ts'
import { addressField } from '../controls/address.tsx'
import { imagesControl } from '../controls/control-kinds.tsx'
import {
  addBill,
  bill,
  billExport,
  billImport,
  dropBills,
  editBill,
  listBills,
  oneBill,
  state,
  type Bill,
} from './bill.ts'

const table = buildColumns(bill, [
  { key: 'roomNo', width: 88, grow: 0 },
  { key: 'payer', width: 68 },
  { key: 'mobile', hiddenByDefault: true },
  'item',
  { key: 'period', width: 112, grow: 0 },
  'due',
  {
    key: 'days',
    hidePriority: 4,
    render: b => <span className={b.days && b.days > 100 ? 'gallery-late' : ''}>{b.days}</span>,
  },
  'amount',
  { key: 'reduced', hidePriority: 1 },
  { key: 'paid', hidePriority: 2 },
  { key: 'late', hidePriority: 3 },
  { key: 'rest', strong: true },
  'state',
  { key: 'billNo', hiddenByDefault: true, width: 180 },
  { key: 'batchNo', hiddenByDefault: true, width: 180 },
])

const remove = createReasonAction(dropBills, {
  label: '作废',
  unit: '张账单',
  nameOf: (b: Bill) => b.roomNo,
  reasonPresets: ['重复出账', '面积有误', '单价有误', '住户已迁出', '其他'],
  consequences: [
    '住户端立即不再显示这些账单，违约金停止计算。',
    '账期释放，可以重新生成；账期未被占用时可在「已作废」中恢复。',
  ],
  affectedSums: rows => [
    ['涉及', `${rows.length} 户`],
    ['应收', displayYuan(sumFen(rows.map(r => r.amount)))],
  ],
})

const views = [
  { id: '', name: '全部未缴', filter: {} },
  { id: 'late', name: '逾期', filter: { state: ['late'] } },
  { id: 'd90', name: '逾期 90 天以上', filter: { daysFrom: 90 } },
  { id: 'part', name: '部分缴纳', filter: { state: ['part'] } },
]

const showToast = (text: string) => () => toast.success(text)

export function Bills() {
  const form = useEdit({
    itemName: '账单',
    add: addBill,
    edit: editBill,
    load: oneBill,
    isRowComplete: true,
    nameOf: (b: Bill) => b.roomNo,
    groups: [{ keys: ['roomNo', 'payer', 'mobile', 'buildCode', 'item', 'from', 'due', 'amount'] }],
  })
  return (
    <>
      <ListPage
        list={listBills}
        itemName="账单"
        columns={table}
        barFilters={['buildCode', 'item', 'due']}
        views={views}
        primaryAction={{ ...form.addAction, label: '生成账单' }}
        rowActions={b => [{ label: '收款', run: showToast('收款') }, form.editAction(b), remove.row(b)]}
        batchActions={[
          {
            label: '发起催缴',
            acceptsAllMatching: true,
            run: t => toast.success(`已给 ${t.count} 条发催缴`),
          },
          { label: '减免', run: t => toast.success(`减免 ${t.ids.length} 条`) },
          { label: '调整违约金', run: showToast('调整') },
          { label: '打印缴费单', icon: <PrinterOutlined />, run: showToast('打印') },
          remove.batch,
        ]}
        unselectableReason={b => (b.state === 'paying' ? '账单正在支付中，15 分钟后自动解锁' : undefined)}
        isDimmed={b => b.state === 'void'}
        import={billImport}
        export={billExport}
        drawer={{
          title: b => `${b.roomNo} 物业费`,
          status: b => <ChoiceStatus choices={state} value={b.state} />,
          historyEntity: 'bill',
          summary: row => (
            <Equation
              parts={[
                { label: '应收', value: displayYuan(row.amount) },
                { sign: '−', label: '减免', value: displayYuan(row.reduced ?? 0) },
                { sign: '−', label: '已缴', value: displayYuan(row.paid ?? 0) },
                { sign: '+', label: '违约金', value: displayYuan(row.late ?? 0) },
              ]}
              sum={{ label: '未缴', value: displayYuan(row.rest ?? 0), bad: true }}
            />
          ),
          groups: [
            {
              title: '基本信息',
              keys: ['billNo', 'period', 'payer', 'due', 'mobile', 'batchNo', 'area', 'remark'],
            },
            { title: '计费明细', keys: ['parts'] },
          ],
          actions: row => [
            { label: `收款 ¥${displayYuan(row.rest ?? 0)}`, run: showToast('收款') },
            { label: '发起催缴', run: showToast('催') },
            form.editAction(row),
            remove.row(row),
          ],
        }}
      />
      {form.dialog}
    </>
  )
}

/** A list with nothing set, as a plain screen has it. */
export const PlainBills = () => <ListPage list={listBills} itemName="账单" columns={buildColumns(bill)} />

export const BillForm = () => (
  <FormPage
    shape={addBill.input}
    title="新增账单"
    draftKey="gallery/new"
    submitLabel="新增账单"
    save={async v => {
      toast.success('已新增')
      return v
    }}
    onDone={() => undefined}
    groups={[
      {
        title: '缴费人',
        keys: ['roomNo', 'buildCode', 'payer', 'mobile', addressField(['province', 'city', 'county'])],
      },
      {
        title: '账单',
        keys: [
          'item',
          'from',
          'due',
          'amount',
          'reduced',
          'area',
          'shop',
          'tags',
          { key: 'photos', control: imagesControl },
          'parts',
          'remark',
        ],
      },
    ]}
  />
)
