import { Button } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirm, confirmDanger } from '#kit/web/confirm.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { today, dayOfPicker } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { checkDayClose, closeDay, listDayCloses, reopenDay, type DayClose } from '../contract/day-close.ts'
import { menu } from '../module.ts'
import './payments.css'

const listColumns = buildColumns(listDayCloses.output, [
  { key: 'day', identity: false },
  {
    key: 'closed',
    title: '状态',
    width: 96,
    grow: 0,
    render: c => <Status tone={c.closed ? 'done' : 'todo'}>{c.closed ? '已日结' : '已反日结'}</Status>,
    text: c => (c.closed ? '已日结' : '已反日结'),
  },
  'closeName',
  'closeTime',
  'openName',
  'openTime',
  { key: 'openReason', width: 160, grow: 1 },
]).map(c => ({ ...c, identity: false }))

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'closed', name: '已日结', filter: { closed: true } },
  { id: 'open', name: '已反日结', filter: { closed: false } },
]

const confirmReopen = (c: Pick<DayClose, 'projectCode' | 'day'>): Promise<boolean> =>
  confirmDanger({
    actionLabel: '反日结',
    unit: '天',
    count: 1,
    title: `反日结 ${c.day}`,
    consequences: ['这一天又可以作废和补录收款', '反日结的人和原因会留在列表里'],
    reason: { presets: ['补录收款', '更正作废'] },
    run: async reason =>
      toastResult(
        await sendAndInvalidate(
          reopenDay,
          { projectCode: c.projectCode, day: c.day, reason },
          { quiet: true },
        ),
        `${c.day} 已反日结`,
      ),
  })

/** A day of one project: its sums, and what prevents closing it (CLO-3). */
function DayClosePanel({ project }: { readonly project: string }) {
  const hasPermission = usePermission()
  const [day, setDay] = useState(today())
  const query = useCall(
    checkDayClose,
    { projectCode: project, day },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  const check = query.data
  const [busy, setBusy] = useState(false)
  const close = async (): Promise<void> => {
    if (
      !check ||
      !(await confirm({
        title: `日结 ${day}`,
        text: `${formatCount(check.count)} 笔，收 ${displayYuan(check.received, true)}，退 ${displayYuan(check.refunded, true)}。日结后这一天不能作废、补录和改动，更正记在以后的日期`,
        okLabel: '日结',
      }))
    )
      return
    setBusy(true)
    try {
      toastResult(await sendAndInvalidate(closeDay, { projectCode: project, day }), `${day} 已日结`)
    } catch {
      /* the toast shows the error */
    } finally {
      setBusy(false)
      void query.refetch()
    }
  }
  return (
    <div className="pay-band" aria-label="日结检查">
      <DatePicker
        size="small"
        allowClear={false}
        value={dayjs(day)}
        maxDate={dayjs(today())}
        onChange={d => d && setDay(dayOfPicker(d))}
        aria-label="日期"
      />
      {check && (
        <>
          <Status tone={check.closed ? 'done' : check.hindrances.length ? 'todo' : 'open'}>
            {check.closed ? '已日结' : check.hindrances.length ? '还不能日结' : '可以日结'}
          </Status>
          <span>{formatCount(check.count)} 笔</span>
          <span>
            收 <b className="figure">{displayYuan(check.received)}</b>
          </span>
          <span>
            退 <b className="figure">{displayYuan(check.refunded)}</b>
          </span>
        </>
      )}
      {query.isError && <span role="alert">{query.error.message}</span>}
      <span className="spring" />
      {check && !check.closed && hasPermission(menu.close.permissions.close) && (
        <Button
          type="primary"
          size="small"
          loading={busy}
          disabled={check.hindrances.length > 0}
          onClick={() => void close()}
        >
          日结
        </Button>
      )}
      {check?.closed && hasPermission(menu.close.permissions.reopen) && (
        <Button
          danger
          size="small"
          onClick={() => void confirmReopen({ projectCode: project, day }).then(() => query.refetch())}
        >
          反日结
        </Button>
      )}
      {check && check.hindrances.length > 0 && (
        <p role="status">
          {check.hindrances.map(h => `${h.who ? `${h.who}：` : ''}${h.what} ${h.count} 笔`).join('；')}
        </p>
      )}
    </div>
  )
}

/** 日结 (CLO-3). */
export default function DayClosesPage() {
  const project = useProject()
  return (
    <ListPage
      list={listDayCloses}
      itemName="日结记录"
      columns={listColumns}
      filters={['day', 'closed']}
      barFilters={['day']}
      views={views}
      belowToolbar={
        project ? (
          <DayClosePanel project={project} key={project} />
        ) : (
          <div className="pay-band">选择一个项目后可以日结</div>
        )
      }
      rowActions={c => [
        c.closed && {
          label: '反日结',
          needs: menu.close.permissions.reopen,
          danger: true,
          run: () => confirmReopen(c),
        },
      ]}
    />
  )
}
