import { Button } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { act, tellDone } from '#kit/web/acts.ts'
import { DatePicker } from '#kit/web/calendar.tsx'
import { columns } from '#kit/web/columns.tsx'
import { confirm, danger } from '#kit/web/confirm.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { Status } from '#kit/web/status.tsx'
import { today } from '#kit/web/when.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { checkDay, closeDay, listCloses, reopenDay, type DayClose } from '../contract/close.ts'
import { menu } from '../module.ts'
import './paydesk.css'

const shown = columns(listCloses.output, [
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

const reopen = (c: Pick<DayClose, 'projectCode' | 'day'>): Promise<boolean> =>
  danger({
    verb: '反日结',
    what: '天',
    count: 1,
    title: `反日结 ${c.day}`,
    follows: ['这一天又可以作废和补录收款', '反日结的人和原因会留在列表里'],
    reason: { presets: ['补录收款', '更正作废'] },
    run: async reason =>
      tellDone(
        await act(reopenDay, { projectCode: c.projectCode, day: c.day, reason }, { quiet: true }),
        `${c.day} 已反日结`,
      ),
  })

/** A day of one project: what it holds, what hinders its closing (CLO-3). */
function Day({ project }: { readonly project: string }) {
  const may = usePermission()
  const [day, setDay] = useState(today())
  const q = useCall(checkDay, { projectCode: project, day }, { quiet: true, keep: true, fresh: 0 })
  const c = q.data
  const [busy, setBusy] = useState(false)
  const close = async (): Promise<void> => {
    if (
      !c ||
      !(await confirm({
        title: `日结 ${day}`,
        text: `${count(c.count)} 笔，收 ${yuan(c.received, true)}，退 ${yuan(c.refunded, true)}。日结后这一天不能作废、补录和改动，更正记在以后的日期`,
        ok: '日结',
      }))
    )
      return
    setBusy(true)
    try {
      tellDone(await act(closeDay, { projectCode: project, day }), `${day} 已日结`)
    } catch {
      /* told in a toast */
    } finally {
      setBusy(false)
      void q.refetch()
    }
  }
  return (
    <div className="pay-band" aria-label="日结检查">
      <DatePicker
        size="small"
        allowClear={false}
        value={dayjs(day)}
        maxDate={dayjs(today())}
        onChange={d => setDay(dayjs(d).format('YYYY-MM-DD'))}
        aria-label="日期"
      />
      {c && (
        <>
          <Status tone={c.closed ? 'done' : c.hindrances.length ? 'todo' : 'open'}>
            {c.closed ? '已日结' : c.hindrances.length ? '还不能日结' : '可以日结'}
          </Status>
          <span>{count(c.count)} 笔</span>
          <span>
            收 <b className="figure">{yuan(c.received)}</b>
          </span>
          <span>
            退 <b className="figure">{yuan(c.refunded)}</b>
          </span>
        </>
      )}
      {q.isError && <span role="alert">{q.error.message}</span>}
      <span className="spring" />
      {c && !c.closed && may(menu.close.may.close) && (
        <Button
          type="primary"
          size="small"
          loading={busy}
          disabled={c.hindrances.length > 0}
          onClick={() => void close()}
        >
          日结
        </Button>
      )}
      {c?.closed && may(menu.close.may.reopen) && (
        <Button
          danger
          size="small"
          onClick={() => void reopen({ projectCode: project, day }).then(() => q.refetch())}
        >
          反日结
        </Button>
      )}
      {c && c.hindrances.length > 0 && (
        <p role="status">
          {c.hindrances.map(h => `${h.who ? `${h.who}：` : ''}${h.what} ${h.count} 笔`).join('；')}
        </p>
      )}
    </div>
  )
}

/** 日结 (CLO-3). */
export default function ClosesPage() {
  const project = useProject()
  return (
    <ListPage
      list={listCloses}
      what="日结记录"
      columns={shown}
      filters={['day', 'closed']}
      bar={['day']}
      views={views}
      above={
        project ? (
          <Day project={project} key={project} />
        ) : (
          <div className="pay-band">选择一个项目后可以日结</div>
        )
      }
      row={c => [
        c.closed && { label: '反日结', may: menu.close.may.reopen, danger: true, run: () => reopen(c) },
      ]}
    />
  )
}
