import { choiceTable, day, int } from '#kit/contract/field.ts'
import { prestoreAccount } from '#modules/prestore/contract/account.ts'
import { menu } from '../module.ts'
import { defineReport, moneyFigure } from './report.ts'

const prestoreReportOptions = {
  entity: prestoreAccount,
  filters: ['ownerKind', 'buildCode', 'state'],
  extraFilters: { day: day('发生日期') },
  hiddenFilters: { feeItem: int('限定项目', { wire: 'FeeItemID', min: 0, target: 'feeItem' }) },
  needs: menu.report.permissions.view,
  exportNeeds: menu.report.permissions.export,
  figures: {
    open: moneyFigure('期初余额', '含赠送'),
    came: moneyFigure('收入', '充值、找零转存、押金转入与赠送'),
    offset: moneyFigure('冲抵', '减去撤销的冲抵'),
    refund: moneyFigure('退款'),
    other: moneyFigure('转账与调整'),
    close: moneyFigure('期末余额', '期初 + 收入 − 冲抵 − 退款 + 转账与调整'),
  },
}

export const prestoreBy = choiceTable('AssetReportBy', '汇总方式', {
  owner: [1, '账户主体'],
  kind: [2, '主体类型'],
  item: [3, '限定项目'],
  build: [4, '楼栋'],
  project: [5, '项目'],
})

/** The prestore that is held: what there was, what moved, what is left. */
export const prestoreSummary = defineReport({
  key: 'reserves',
  title: '预存汇总',
  dimensions: prestoreBy,
  route: 'GET finance/v1/Report/GetAssets',
  exportRoute: 'GET finance/v1/Report/ExportAssets',
  ...prestoreReportOptions,
})

export const prestoreMonthBy = choiceTable('AssetReportMonthBy', '汇总方式', { month: [1, '月份'] })

/** Each month opens with what the one before closed with (CLO-4). */
export const prestoreMonths = defineReport({
  key: 'reserveMonths',
  title: '预存逐月汇总',
  dimensions: prestoreMonthBy,
  edges: { open: 'first', close: 'last' },
  route: 'GET finance/v1/Report/GetAssetMonths',
  exportRoute: 'GET finance/v1/Report/ExportAssetMonths',
  ...prestoreReportOptions,
})
