import { monthOf, shiftMonth } from '#kit/domain/month.ts'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { confirm, confirmDanger } from '#kit/web/confirm.tsx'
import { today } from '#kit/web/date-format.ts'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { download, send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import {
  closeMonth,
  countPendingOfMonth,
  exportMonthRecords,
  exportMonthSheet,
  listClosedMonths,
  listMonthRecords,
  reopenMonth,
} from '../contract/month.ts'
import { menu, paths } from '../module.ts'
import { useAddressMonth } from './month-address.ts'
import { MonthSelect } from './month-toolbar.tsx'
import './attendance.css'

const columns = buildColumns(listMonthRecords.output, [
  { key: 'staffName', identity: true, width: 100 },
  { key: 'staffNo', width: 80, hidePriority: 2 },
  { key: 'departmentName', width: 110, hidePriority: 3, grow: 1 },
  'dueDays',
  'actualDays',
  { key: 'rate', width: 84, align: 'right' },
  { key: 'normalDays', wideOnly: true },
  'lateCount',
  'lateMinutes',
  { key: 'severeLateCount', wideOnly: true },
  'earlyCount',
  'missCount',
  'absentDays',
  'leaveHours',
  { key: 'overtimeWeekday', wideOnly: true },
  { key: 'overtimeRest', hidePriority: 1 },
  { key: 'overtimeHoliday', wideOnly: true },
  { key: 'mendCount', wideOnly: true },
]).map(withoutSorting)

type Month = ReturnType<typeof monthOf>

/**
 * What waits in the month cannot take effect once it is closed; with where to see it, for somebody who may.
 */
const CloseText = ({
  pending: { count, staffNames },
  canList,
}: {
  readonly pending: NonNullable<typeof countPendingOfMonth.output.T>
  readonly canList: boolean
}) => (
  <>
    封存后该月的打卡、排班、单据与结果不再改变考勤，工资以此为准。
    {count > 0 && (
      <>
        <br />
        该月还有 {count} 张单据审批中（{staffNames.join('、')}
        {count > staffNames.length ? '等' : ''}），封存后不能再通过。
        {canList && (
          <a href={`${paths.applications}?state=pending`} target="_blank" rel="noreferrer">
            查看
          </a>
        )}
      </>
    )}
  </>
)

const close = async (month: Month, canList: boolean): Promise<void> => {
  const pending = await send(countPendingOfMonth, { month })
  const isAgreed = await confirm({
    title: `封存 ${month} 考勤`,
    text: <CloseText pending={pending} canList={canList} />,
    okLabel: pending.count ? '仍然封存' : '封存',
  })
  if (!isAgreed) return
  await sendAndInvalidate(closeMonth, { month })
  toast.success(`已封存 ${month} 考勤`)
}

const reopen = (month: Month): Promise<boolean> =>
  confirmDanger({
    actionLabel: '解除封存',
    unit: '个月',
    count: 1,
    title: `解除封存 ${month} 考勤`,
    consequences: ['按现有打卡、班次、排班、节假日与单据重新计算该月。'],
    reason: {},
    run: async reason => {
      await sendAndInvalidate(reopenMonth, { month, reason }, { quiet: true })
      toast.success(`已解除封存 ${month} 考勤`)
    },
  })

/** 月度汇总: what salaries are computed from. */
export default function MonthlyPage() {
  const [month, setMonth] = useAddressMonth(shiftMonth(monthOf(today()), today().slice(8) > '10' ? 0 : -1))
  const closed = useCall(listClosedMonths, {}, { quiet: true }).data
  const isClosed = closed?.some(row => row.month === month) ?? false
  const { permissions } = menu.record
  const canList = usePermission()(menu.apply.permissions.view)
  return (
    <ListPage
      list={listMonthRecords}
      itemName="月度汇总"
      columns={columns}
      fixedFilter={{ month }}
      filters={['groupId', 'departmentId']}
      barFilters={['groupId', 'departmentId']}
      keywordPlaceholder="姓名、工号"
      belowToolbar={
        <div className="toolbar">
          <MonthSelect month={month} onChange={setMonth} />
          {isClosed && <span>已封存</span>}
        </div>
      }
      toolbarActions={[
        {
          label: '导出考勤月报',
          needs: permissions.export,
          run: () => download(exportMonthSheet, { month }),
        },
        isClosed
          ? { label: '解除封存', needs: permissions.close, run: () => reopen(month) }
          : {
              label: '封存',
              needs: permissions.close,
              disabledReason: month >= monthOf(today()) ? '当月尚未结束，不能封存' : undefined,
              run: () => close(month, canList),
            },
      ]}
      export={exportMonthRecords}
    />
  )
}
