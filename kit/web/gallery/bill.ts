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
  lookup,
} from '#kit/contract/field.ts'
import { menus } from '#kit/contract/module.ts'
import { rules } from '#kit/contract/rules.ts'
import {
  byId,
  byIdsWithReason,
  draftOf,
  noData,
  recordOf,
  pageOf,
  listOfRows,
  search,
  shape,
} from '#kit/contract/shape.ts'
import { declareExport, declareImport } from '#kit/contract/import-export.ts'

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
  { table: 'bill', tenancy: 'project', title: 'roomNo', order: ['due'] },
  {
    roomNo: text('房号', {
      required: true,
      max: 20,
      searchable: true,
      rule: rules.length.withOptions({ min: 3, max: 20 }),
    }),
    payer: text('缴费人', { required: true, max: 10, searchable: true }),
    mobile: text('手机', { max: 11, rule: rules.mobile, masked: 'mobile', searchable: true }),
    buildCode: keyRef('楼栋', 'building', { required: true }),
    buildName: lookup('楼栋', 'buildCode', 'name', { hiddenIn: ['table'] }),
    item: choice('收费项目', item, { required: true, initial: 'estate' }),
    period: text('账期', { max: 12, derived: true }),
    from: month('起始月', { required: true, hiddenIn: ['table'] }),
    due: day('应缴日', { required: true }),
    days: int('逾期天数', { derived: true }),
    amount: money('应收', { required: true, min: 0 }),
    reduced: money('减免'),
    paid: money('已缴'),
    late: money('违约金', { derived: true }),
    rest: money('未缴合计', { derived: true }),
    area: decimal('建筑面积', { unit: '㎡', min: 0, hiddenIn: ['table'] }),
    state: choice('状态', state, { required: true, initial: 'open', derived: true }),
    shop: flag('商铺', { hiddenIn: ['table'] }),
    billNo: text('账单号', { max: 20, derived: true, searchable: true, hiddenIn: ['table'] }),
    batchNo: text('出账批次', { max: 20, derived: true, hiddenIn: ['table'] }),
    province: text('省', { max: 20, hiddenIn: ['table'] }),
    city: text('市', { max: 20, hiddenIn: ['table'] }),
    county: text('区县', { max: 20, hiddenIn: ['table'] }),
    tags: list('标签', { max: 5, hiddenIn: ['table'] }),
    photos: list('图片', { max: 9, hiddenIn: ['table', 'filter', 'sheet'] }),
    parts: lines(
      '明细',
      {
        name: text('名称', { required: true, max: 20 }),
        count: int('数量', { required: true, min: 1, initial: 1 }),
        price: money('单价', { required: true }),
        since: day('从'),
      },
      { max: 20, hiddenIn: ['table', 'filter'] } as never,
    ),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'], help: '会印在账单上' }),
  },
)

export type Bill = Row<typeof bill>
const permissions = menu.bill.permissions

export const listBills = call({
  route: 'GET gallery/bills',
  title: '查询账单',
  needs: permissions.view,
  input: search(bill, ['buildCode', 'item', 'state', 'from', 'due', 'amount', 'payer', 'shop', 'days']),
  output: pageOf(bill, { sums: ['amount', 'reduced', 'paid', 'late', 'rest'] }),
})

export const oneBill = call({
  route: 'GET gallery/bill',
  title: '查看账单',
  needs: permissions.view,
  input: byId,
  output: recordOf(bill),
})

export const addBill = call({
  route: 'POST gallery/bill',
  title: '新增账单',
  needs: permissions.add,
  input: draftOf(bill),
  output: recordOf(bill),
  affects: ['bill'],
})

export const editBill = call({
  route: 'PUT gallery/bill',
  title: '编辑账单',
  needs: permissions.edit,
  input: draftOf(bill),
  output: recordOf(bill),
  affects: ['bill'],
})

export const dropBills = call({
  route: 'DELETE gallery/bill',
  title: '作废账单',
  needs: permissions.del,
  input: byIdsWithReason,
  output: noData,
  affects: ['bill'],
})

export const buildings = call({
  route: 'GET gallery/buildings',
  title: '楼栋',
  needs: permissions.view,
  input: shape({}),
  output: listOfRows({ code: text('编码', { required: true }), name: text('名称', { required: true }) }),
})

export const billImport = declareImport({
  route: 'POST gallery/PostImport',
  title: '导入账单',
  needs: permissions.import,
  affects: ['bill'],
})

export const billExport = declareExport({
  route: 'GET gallery/GetExport',
  title: '导出账单',
  needs: permissions.export,
  list: listBills,
})
