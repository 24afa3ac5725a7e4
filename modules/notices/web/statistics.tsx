import { useState } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { StatisticLines, Statistics, useStatisticSpan } from '#modules/messaging/web/public.statistics.ts'
import {
  exportNoticeStatistics,
  getNoticeStatistics,
  noticeGrouping,
  noticeStatisticColumns,
} from '../contract/statistics.ts'
import { menu } from '../module.ts'

const columns = buildColumns(
  getNoticeStatistics.output,
  noticeStatisticColumns.map(key =>
    key === 'label'
      ? { key, identity: true, width: 160, grow: 1 }
      : { key, align: 'right' as const, ...(key === 'readRate' ? { width: 90 } : {}) },
  ),
).map(withoutSorting)

/** 统计: how many notices reached how many, and how many read them. */
export function NoticeStatistics() {
  const hasPermission = usePermission()
  const [span, setSpan] = useStatisticSpan()
  const [grouping, setGrouping] = useState<keyof typeof noticeGrouping.rows>('month')
  const query = { ...span, grouping }
  const rows = useCall(getNoticeStatistics, query, { quiet: true, keepPrevious: true })
  const save = (): void => void download(exportNoticeStatistics, query).catch(() => undefined)
  return (
    <Statistics
      span={span}
      onSpanChange={setSpan}
      groupings={noticeGrouping}
      grouping={grouping}
      onGroupingChange={setGrouping}
      onExport={hasPermission(menu.notice.permissions.export) ? save : undefined}
    >
      <Loaded query={rows} height={320} rows={6} keepsAnswer>
        {answer =>
          answer.length ? (
            <StatisticLines rows={answer} columns={columns} label="公告统计" />
          ) : (
            <Empty text="该期间无公告" />
          )
        }
      </Loaded>
    </Statistics>
  )
}
