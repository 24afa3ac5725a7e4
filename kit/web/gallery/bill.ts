import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choice,
  choiceTable,
  day,
  decimal,
  flag,
  int,
  keyRef,
  lines,
  list,
  money,
  month,
  text,
  through,
} from '#kit/contract/field.ts'
import { menus } from '#kit/contract/module.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWhy,
  draftOf,
  nothing,
  oneOf,
  pageOf,
  rowsOf,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { exports, imports } from '#kit/contract/transfer.ts'

export const menu = menus('gallery', {
  bill: { label: '未缴账单', buttons: { import: '导入', export: '导出' } },
})

export const state = choiceTable('GalleryState', '状态', {
  late: [1, '逾期', 'bad'],
  part: [2, '部分缴纳', 'todo'],
  open: [3, '未缴', 'open'],
  paid: [4, '已缴', 'done'],
  paying: [5, '支付中', 'doing'],
  void: [6, '已作废', 'off'],
  hold: [7, '停收', 'hold'],
})

export const item = choiceTable('GalleryItem', '收费项目', {
  estate: [1, '物业费'],
  rubbish: [2, '垃圾清运费'],
  shared: [3, '公摊电费'],
  park: [4, '车位管理费'],
})

export const bill = entity(
  'bill',
  '账单',
  { table: 'bill', reach: 'project', title: 'roomNo', order: ['due'] },
  {
    roomNo: text('房号', {
      required: true,
      max: 20,
      sought: true,
      rule: rules.length.with({ min: 3, max: 20 }),
    }),
    payer: text('缴费人', { required: true, max: 10, sought: true }),
    mobile: text('手机', { max: 11, rule: rules.mobile, masked: 'mobile', sought: true }),
    buildCode: keyRef('楼栋', 'building', { required: true }),
    buildName: through('楼栋', 'buildCode', 'name', { notIn: ['table'] }),
    item: choice('收费项目', item, { required: true, initial: 'estate' }),
    period: text('账期', { max: 12, derived: true }),
    from: month('起始月', { required: true, notIn: ['table'] }),
    due: day('应缴日', { required: true }),
    days: int('逾期天数', { derived: true }),
    amount: money('应收', { required: true, min: 0 }),
    reduced: money('减免'),
    paid: money('已缴'),
    late: money('违约金', { derived: true }),
    rest: money('未缴合计', { derived: true }),
    area: decimal('建筑面积', { unit: '㎡', min: 0, notIn: ['table'] }),
    state: choice('状态', state, { required: true, initial: 'open', derived: true }),
    shop: flag('商铺', { notIn: ['table'] }),
    billNo: text('账单号', { max: 20, derived: true, sought: true, notIn: ['table'] }),
    batchNo: text('出账批次', { max: 20, derived: true, notIn: ['table'] }),
    province: text('省', { max: 20, notIn: ['table'] }),
    city: text('市', { max: 20, notIn: ['table'] }),
    county: text('区县', { max: 20, notIn: ['table'] }),
    tags: list('标签', { max: 5, notIn: ['table'] }),
    photos: list('图片', { max: 9, notIn: ['table', 'filter', 'sheet'] }),
    parts: lines(
      '明细',
      {
        name: text('名称', { required: true, max: 20 }),
        count: int('数量', { required: true, min: 1, initial: 1 }),
        price: money('单价', { required: true }),
        since: day('从'),
      },
      { max: 20, notIn: ['table', 'filter'] } as never,
    ),
    remark: text('备注', { max: 200, notIn: ['table', 'filter'], help: '会印在账单上' }),
  },
)

export type Bill = Row<typeof bill>
const may = menu.bill.may

export const listBills = call({
  at: 'GET gallery/bills',
  title: '查询账单',
  needs: may.view,
  input: search(bill, ['buildCode', 'item', 'state', 'from', 'due', 'amount', 'payer', 'shop', 'days']),
  output: pageOf(bill, { sums: ['amount', 'reduced', 'paid', 'late', 'rest'] }),
})

export const oneBill = call({
  at: 'GET gallery/bill',
  title: '查看账单',
  needs: may.view,
  input: byId,
  output: oneOf(bill),
})

export const addBill = call({
  at: 'POST gallery/bill',
  title: '新增账单',
  needs: may.add,
  input: draftOf(bill),
  output: oneOf(bill),
  affects: ['bill'],
})

export const editBill = call({
  at: 'PUT gallery/bill',
  title: '编辑账单',
  needs: may.edit,
  input: draftOf(bill),
  output: oneOf(bill),
  affects: ['bill'],
})

export const dropBills = call({
  at: 'DELETE gallery/bill',
  title: '作废账单',
  needs: may.del,
  input: byIdsWhy,
  output: nothing,
  affects: ['bill'],
})

export const buildings = call({
  at: 'GET gallery/buildings',
  title: '楼栋',
  needs: may.view,
  input: shape({}),
  output: rowsOf({ code: text('编码', { required: true }), name: text('名称', { required: true }) }),
})

export const billImport = imports({
  at: 'POST gallery/PostImport',
  title: '导入账单',
  needs: may.import,
  affects: ['bill'],
})

export const billExport = exports({
  at: 'GET gallery/GetExport',
  title: '导出账单',
  needs: may.export,
  of: listBills,
})
