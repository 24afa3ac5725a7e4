import { Link } from 'react-router'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { monthSoFar, useAddressSpan } from '#kit/web/address-span.ts'
import { SpanBar } from '#kit/web/span-bar.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listAnomalies } from '../contract/month.ts'
import { paths } from '../module.ts'

/** 异常统计: who has days that somebody has to look into, the most first. */
export default function AnomaliesPage() {
  const [span, setSpan] = useAddressSpan(monthSoFar())
  const columns = buildColumns(listAnomalies.output, [
    { key: 'staffName', identity: true, width: 100 },
    { key: 'staffNo', width: 80 },
    { key: 'departmentName', grow: 1 },
    {
      key: 'anomalyDays',
      align: 'right',
      render: row => (
        <Link
          to={`${paths.daily}?view=all&staffId=${row.id}&workDateFrom=${span.from}&workDateTo=${span.to}&isAnomaly=1`}
        >
          {row.anomalyDays}
        </Link>
      ),
      text: row => String(row.anomalyDays),
    },
    'lateCount',
    'lateMinutes',
    'earlyCount',
    'missCount',
    'absentDays',
    'unscheduledDays',
  ]).map(withoutSorting)
  return (
    <ListPage
      list={listAnomalies}
      itemName="异常人员"
      columns={columns}
      fixedFilter={span}
      filters={['groupId', 'departmentId']}
      barFilters={['groupId', 'departmentId']}
      keywordPlaceholder="姓名、工号"
      belowToolbar={<SpanBar span={span} onChange={setSpan} />}
    />
  )
}
