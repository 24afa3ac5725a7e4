import { prestoreMonths, prestoreSummary } from '../contract/prestore.ts'
import { selectPrestoreMonthDrilldown, selectPrestoreDrilldown } from './drilldowns-prestore.ts'
import { ReportSwitch, type SwitchableReport } from './report-switch.tsx'
import { paths } from './paths.ts'

const commonScreen = {
  dateFilter: 'day',
  barFilters: ['day', 'ownerKind', 'buildCode'],
  topTotals: ['open', 'came', 'offset', 'refund', 'close'],
}

const lastTwelveMonths = (day: string) => ({
  dayFrom: `${Number(day.slice(0, 4)) - 1}${day.slice(4, 7)}-01`,
  dayTo: day,
})

const reportScreens: Readonly<Record<string, SwitchableReport>> = {
  owner: { label: '按账户', report: prestoreSummary, ...commonScreen, drilldowns: selectPrestoreDrilldown },
  month: {
    label: '逐月',
    report: prestoreMonths,
    ...commonScreen,
    defaultFilter: lastTwelveMonths,
    drilldowns: selectPrestoreMonthDrilldown,
  },
}

/** 预存汇总: 期初 + 收入 − 冲抵 − 退款 + 转账与调整 = 期末. */
export default function PrestorePage() {
  return <ReportSwitch path={paths.prestore} reports={reportScreens} />
}
