import { feeBills, roomBills } from '../contract/rooms.ts'
import { roomWay, spreadWay } from './ways-room.ts'
import { ReportChoice, type Choice } from './report-choice.tsx'

const year = (day: string) => ({ belongMonthFrom: `${day.slice(0, 4)}-01`, belongMonthTo: day.slice(0, 7) })

const screens: Readonly<Record<string, Choice>> = {
  bills: {
    label: '按账单',
    of: roomBills,
    span: 'belongMonth',
    first: year,
    bar: ['belongMonth', 'buildCode', 'feeItemId'],
    above: ['receivable', 'paid', 'unpaid'],
    way: roomWay,
    entries: [
      'count',
      { key: 'amount', drop: 2 },
      { key: 'discount', drop: 1 },
      'receivable',
      'paid',
      { key: 'lateFee', drop: 1 },
      'unpaid',
      'overdue',
      'rate',
    ],
  },
  months: {
    label: '按归属月',
    of: feeBills,
    span: 'month',
    bar: ['month', 'buildCode', 'feeItemId'],
    above: ['receivable', 'paid', 'unpaid'],
    way: spreadWay,
    leads: '打开账期与这些月份重叠的账单，列出整张金额，不按天拆分',
    entries: ['discount', 'receivable', 'paid', 'unpaid', 'rate'],
  },
}

/** 房间报表: each room's bills as they are, or by the months they are for (STAT-2). */
export default function RoomPage() {
  return <ReportChoice path="/finance/reportCenter/financialManagement/room" of={screens} />
}
