import { call } from '#kit/contract/call.ts'
import { month, money, text } from '#kit/contract/field.ts'
import { fileResponse, pageOfRows, search, shape } from '#kit/contract/shape.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { prestoreEntry } from './entry.ts'

/**
 * A month of a project, own and gift money together; open + in − offset − refund + other = close, to the fen
 * (CLO-4).
 */
const summaryFigures = {
  open: money('期初余额', { required: true }),
  came: money('收入', { required: true, help: '充值、找零转存、押金转入与赠送' }),
  offset: money('冲抵', { required: true, help: '减去撤销的冲抵' }),
  refund: money('退款', { required: true }),
  other: money('转账与调整', { required: true }),
  close: money('期末余额', { required: true }),
}

export const summaryRow = {
  projectCode: estateField(),
  month: month('月份', { required: true }),
  estateName: text('项目', { derived: true, lookup: ['projectCode', 'name'] }),
  ...summaryFigures,
}

const summaryInput = search(prestoreEntry, [], { monthFrom: month('月份起'), monthTo: month('月份止') })

export const listSummary = call({
  route: 'GET finance/v1/Asset/GetPagedAssetSummaryList',
  title: '预存汇总',
  needs: menu.account.permissions.view,
  input: summaryInput,
  output: { ...pageOfRows(summaryRow), entity: 'assetRecord' },
})

export const getSummaryTotal = call({
  route: 'GET finance/v1/Asset/GetAssetSummaryListSum',
  title: '预存汇总合计',
  needs: menu.account.permissions.view,
  input: summaryInput,
  output: shape(summaryFigures),
})

export const exportSummary = call({
  route: 'GET finance/v1/Asset/ExportAssetSummaryList',
  title: '导出预存汇总',
  needs: menu.account.permissions.export,
  input: summaryInput,
  output: fileResponse,
})

export const summaryColumns = sheetColumns(summaryRow, [
  'month',
  'estateName',
  'open',
  'came',
  'offset',
  'refund',
  'other',
  'close',
])
