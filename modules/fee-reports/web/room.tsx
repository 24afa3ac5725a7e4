import { feeBills, roomBills } from '../contract/room.ts'
import { roomDrilldown, spreadDrilldown } from './drilldowns-room.ts'
import { ReportSwitch, type SwitchableReport } from './report-switch.tsx'
import { paths } from './paths.ts'

const thisYear = (day: string) => ({
  belongMonthFrom: `${day.slice(0, 4)}-01`,
  belongMonthTo: day.slice(0, 7),
})

const reportScreens: Readonly<Record<string, SwitchableReport>> = {
  bills: {
    label: '按账单',
    report: roomBills,
    dateFilter: 'belongMonth',
    defaultFilter: thisYear,
    barFilters: ['belongMonth', 'buildCode', 'feeItemId'],
    topTotals: ['receivable', 'paid', 'unpaid'],
    drilldowns: roomDrilldown,
    columns: [
      'count',
      { key: 'amount', hidePriority: 2 },
      { key: 'discount', hidePriority: 1 },
      'receivable',
      'paid',
      { key: 'lateFee', hidePriority: 1 },
      'unpaid',
      'overdue',
      'rate',
    ],
  },
  months: {
    label: '按归属月',
    report: feeBills,
    dateFilter: 'month',
    barFilters: ['month', 'buildCode', 'feeItemId'],
    topTotals: ['receivable', 'paid', 'unpaid'],
    drilldowns: spreadDrilldown,
    linkTitle: '打开账期与这些月份重叠的账单，列出整张金额，不按天拆分',
    columns: ['discount', 'receivable', 'paid', 'unpaid', 'rate'],
  },
}

/** 房间报表: each room's bills as they are, or by the months they are for (STAT-2). */
export default function RoomPage() {
  return <ReportSwitch path={paths.room} reports={reportScreens} />
}
