import { call } from '#kit/contract/call.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, lines, lookup, moment, money, ref, text } from '#kit/contract/field.ts'
import { byId, pageOf, search, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { recordState } from '#modules/payments/contract/choices.ts'
import { menu } from '../module.ts'
import { entryType } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** One movement of an account, with what was before and after (ACC-2). */
export const prestoreEntry = entity(
  'assetRecord',
  '预存流水',
  { table: 'prestore_entry', tenancy: 'project', title: 'entryType', order: ['-entryTime', '-id'] },
  {
    projectCode: estateField(),
    accountId: ref('账户', 'asset', { required: true, wire: 'AccountID', hiddenIn: ['table'] }),
    buildCode: buildingThrough('accountId'),
    ownerName: lookup('账户主体', 'accountId', 'ownerName', { searchable: true }),
    entryType: choice('类型', entryType, { required: true }),
    amount: money('金额', { required: true }),
    gift: flag('赠送', { required: true, initial: false }),
    balanceBefore: money('变动前', { required: true, hiddenIn: ['filter'] }),
    balanceAfter: money('变动后', { required: true, hiddenIn: ['filter'] }),
    billId: idOf('账单', { wire: 'BillID', ...internalOnly }),
    recordId: idOf('缴费记录', { wire: 'RecordID', ...internalOnly }),
    reversesId: ref('撤销的流水', 'assetRecord', internalOnly),
    entryTime: moment('时间', { required: true }),
    operatorName: text('操作人', { max: 40, searchable: true, hiddenIn: ['filter'] }),
    remark: text('备注', { max: 200, searchable: true, hiddenIn: ['filter'] }),
  },
)

export type PrestoreEntry = Row<typeof prestoreEntry>

export const entryFilters = ['accountId', 'entryType', 'amount', 'gift', 'entryTime'] as const

export const listEntries = call({
  route: 'GET finance/v1/Asset/GetAssetRecordPagedList',
  title: '查询预存流水',
  needs: menu.account.permissions.view,
  input: search(prestoreEntry, entryFilters, {
    ownerCode: text('主体编码', { max: 40 }),
    recordNo: idOf('收款记录', { wire: 'RecordID' }),
  }),
  output: pageOf(prestoreEntry, { sums: ['amount'] }),
})

export const entryColumns = sheetColumns(prestoreEntry.fields, [
  'ownerName',
  'entryType',
  'amount',
  'gift',
  'balanceBefore',
  'balanceAfter',
  'entryTime',
  'operatorName',
  'remark',
])

export const exportEntries = declareExport({
  route: 'GET finance/v1/Asset/ExportAssetRecordList',
  title: '导出预存流水',
  needs: menu.account.permissions.export,
  list: listEntries,
})

/** What a payment did to prestore: each account it moved, before and after. */
export const getPrestoreReceipt = call({
  route: 'GET finance/v1/FeeCenter/GetPreStoreDetailById',
  title: '预存收款明细',
  needs: menu.account.permissions.view,
  input: byId,
  output: shape(
    {
      recordId: idOf('收款记录', { required: true, wire: 'RecordID' }),
      recordNo: text('流水号', { required: true }),
      receiptNo: text('收据号'),
      sourceName: text('收费对象', { required: true }),
      payerName: text('缴费人'),
      payTime: moment('缴费时间', { required: true }),
      receivedAmount: money('实收', { required: true }),
      state: choice('状态', recordState, { required: true }),
      rows: lines(
        '预存变动',
        {
          accountId: idOf('账户', { required: true, wire: 'AccountID' }),
          accountNo: text('账户号', { required: true }),
          ownerName: text('账户主体', { required: true }),
          feeItemName: text('限定项目'),
          entryType: choice('类型', entryType, { required: true }),
          amount: money('金额', { required: true }),
          gift: flag('赠送', { required: true }),
          balanceBefore: money('变动前', { required: true }),
          balanceAfter: money('变动后', { required: true }),
        },
        { required: true },
      ),
    },
    { entity: 'assetRecord' },
  ),
})
