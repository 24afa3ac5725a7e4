import { reserveMonths, reserves } from '../contract/reserves.ts'
import { reserveMonthWay, reserveWay } from './ways-reserve.ts'
import { ReportChoice, type Choice } from './report-choice.tsx'

const common = {
  span: 'day',
  bar: ['day', 'ownerKind', 'buildCode'],
  above: ['open', 'came', 'offset', 'refund', 'close'],
}

const year = (day: string) => ({ dayFrom: `${Number(day.slice(0, 4)) - 1}${day.slice(4, 7)}-01`, dayTo: day })

const screens: Readonly<Record<string, Choice>> = {
  owner: { label: '按账户', of: reserves, ...common, way: reserveWay },
  month: { label: '逐月', of: reserveMonths, ...common, first: year, way: reserveMonthWay },
}

/** 预存汇总: 期初 + 收入 − 冲抵 − 退款 + 转账与调整 = 期末. */
export default function ReservesPage() {
  return <ReportChoice path="/finance/reportCenter/financialManagement/summaryofreserves" of={screens} />
}
