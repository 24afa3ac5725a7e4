import { useState } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import {
  exportMessageStatistics,
  getMessageStatistics,
  messageGrouping,
  statisticColumns,
} from '../contract/statistics.ts'
import { menu } from '../module.ts'
import { StatisticLines, Statistics, useStatisticSpan } from './statistics-table.tsx'

const columns = buildColumns(
  getMessageStatistics.output,
  statisticColumns.map(key =>
    key === 'label'
      ? { key, identity: true, width: 160, grow: 1 }
      : { key, align: 'right' as const, ...(key === 'rate' ? { width: 90 } : {}) },
  ),
).map(withoutSorting)

/** 消息统计: what went out to people outside, and what became of it. */
export default function StatisticsPage() {
  const hasPermission = usePermission()
  const [span, setSpan] = useStatisticSpan()
  const [grouping, setGrouping] = useState<keyof typeof messageGrouping.rows>('day')
  const query = { ...span, grouping }
  const rows = useCall(getMessageStatistics, query, { quiet: true, keepPrevious: true })
  const save = (): void => void download(exportMessageStatistics, query).catch(() => undefined)
  return (
    <Statistics
      span={span}
      onSpanChange={setSpan}
      groupings={messageGrouping}
      grouping={grouping}
      onGroupingChange={setGrouping}
      onExport={hasPermission(menu.record.permissions.export) ? save : undefined}
    >
      <Loaded query={rows} height={320} rows={6} keepsAnswer>
        {answer =>
          answer.length ? (
            <StatisticLines rows={answer} columns={columns} label="消息统计" />
          ) : (
            <Empty text="该期间无消息" />
          )
        }
      </Loaded>
    </Statistics>
  )
}
