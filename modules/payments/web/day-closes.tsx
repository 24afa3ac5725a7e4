import { Button } from 'antd'
import dayjs from 'dayjs'
import type { Day } from '#kit/domain/day.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmAndSend, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirm } from '#kit/web/confirm.tsx'
import { formatCount, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { today, dayOfPicker } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { checkDayClose, closeDay, listDayCloses, reopenDay, type DayClose } from '../contract/day-close.ts'
import { afterTodayClosed } from '../domain/day-close.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
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

const confirmReopen = (dayClose: Pick<DayClose, 'projectCode' | 'day'>): Promise<boolean> =>
  confirmAndSend(reopenDay, {
    actionLabel: '反日结',
    unit: '天',
    title: `反日结 ${dayClose.day}`,
    consequences: ['当日可再次作废和补录收款', '反日结的操作人和原因在列表中保留'],
    reason: { presets: ['补录收款', '更正作废'] },
    input: { projectCode: dayClose.projectCode, day: dayClose.day },
    doneText: `${dayClose.day} 已反日结`,
  })

type DayCheck = NonNullable<typeof checkDayClose.output.T>

/** Asks before a day is closed; today is asked for a second time, with what becomes of its later takings. */
async function confirmClose(check: DayCheck): Promise<boolean> {
  const { day, count, received, refunded } = check
  const isConfirmed = await confirm({
    title: `日结 ${day}`,
    text: `${formatCount(count)} 笔，实收 ${displayYuanWithSymbol(received)}，退款 ${displayYuanWithSymbol(refunded)}。日结后当日不能作废、补录和改动，更正记入以后的日期`,
    okLabel: '日结',
  })
  if (!isConfirmed || day !== today()) return isConfirmed
  return confirm({
    title: '今天尚未结束，仍要日结？',
    text: afterTodayClosed(day, check.goesToNextDay),
    okLabel: '日结今天',
    danger: true,
  })
}

/** What keeps a day open, each with the screen on which it is settled. */
function CloseBlockers({ check, onDay }: { readonly check: DayCheck; readonly onDay: (day: Day) => void }) {
  return (
    <p role="status">
      {check.openDays.length > 0 && (
        <>
          请先日结以前的日期：
          {check.openDays.map(open => (
            <Button key={open.day} type="link" size="small" onClick={() => onDay(open.day)}>
              {open.day}
            </Button>
          ))}
        </>
      )}
      {check.blockers.length > 0 && (
        <>
          {check.blockers
            .map(h => `${h.cashierName ? `${h.cashierName}：` : ''}${h.blocker} ${h.count} 笔`)
            .join('；')}{' '}
          {check.blockers.some(h => h.cashierName) && (
            <Link to={paths.handover}>
              {check.blockers.every(h => !h.cashierName || h.isHandedOver) ? '确认交账单' : '办理交账'}
            </Link>
          )}
        </>
      )}
    </p>
  )
}

function DaySums({ check }: { readonly check: DayCheck }) {
  const isBlocked = check.blockers.length > 0 || check.openDays.length > 0
  return (
    <>
      <Status tone={check.closed ? 'done' : isBlocked ? 'todo' : 'open'}>
        {check.closed ? '已日结' : isBlocked ? '暂不能日结' : '可以日结'}
      </Status>
      <span>{formatCount(check.count)} 笔</span>
      <span>
        实收 <b className="figure">{displayYuan(check.received)}</b>
      </span>
      <span>
        退款 <b className="figure">{displayYuan(check.refunded)}</b>
      </span>
    </>
  )
}

/** A day of one project, the first that is open: its sums, and what prevents closing it (CLO-3). */
function DayClosePanel({ project }: { readonly project: string }) {
  const hasPermission = usePermission()
  const [chosen, setChosen] = useState<Day>()
  const query = useCall(
    checkDayClose,
    { projectCode: project, ...(chosen ? { day: chosen } : {}) },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  const check = query.data
  const [busy, setBusy] = useState(false)
  const close = async (of: DayCheck): Promise<void> => {
    if (!(await confirmClose(of))) return
    setBusy(true)
    try {
      const input = { projectCode: project, day: of.day, isTodayConfirmed: of.day === today() }
      toastResult(await sendAndInvalidate(closeDay, input), `${of.day} 已日结`)
      setChosen(undefined)
    } catch {
      /* the toast shows the error */
    } finally {
      setBusy(false)
      void query.refetch()
    }
  }
  const isBlocked = !check || check.blockers.length > 0 || check.openDays.length > 0
  return (
    <div className="pay-band" aria-label="日结检查">
      <DatePicker
        size="small"
        allowClear={false}
        value={dayjs(chosen ?? check?.day ?? today())}
        maxDate={dayjs(today())}
        onChange={d => d && setChosen(dayOfPicker(d))}
        aria-label="日期"
      />
      {check && <DaySums check={check} />}
      {query.isError && <span role="alert">{query.error.message}</span>}
      <span className="spring" />
      {check && !check.closed && hasPermission(menu.close.permissions.close) && (
        <Button
          type="primary"
          size="small"
          loading={busy}
          disabled={isBlocked || query.isFetching}
          onClick={() => void close(check)}
        >
          日结
        </Button>
      )}
      {check?.closed && hasPermission(menu.close.permissions.reopen) && (
        <Button
          danger
          size="small"
          onClick={() =>
            void confirmReopen({ projectCode: project, day: check.day }).then(() => query.refetch())
          }
        >
          反日结
        </Button>
      )}
      {check && !check.closed && isBlocked ? (
        <CloseBlockers check={check} onDay={setChosen} />
      ) : (
        <p>{check ? '暂无待处理事项' : '正在检查'}</p>
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
          <div className="pay-band">请先选择项目</div>
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
