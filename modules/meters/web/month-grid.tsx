import { Button, Input, Segmented, Select } from 'antd'
import dayjs from 'dayjs'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
} from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { formatCount, PercentBar } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-states.tsx'
import { Paginator } from '#kit/web/paginator.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { MoreActions, ActionButton, useAllowedActions, type Action } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterKind, unreadReason } from '../contract/choices.ts'
import { confirmReadings, getMonthProgress, listMonthGrid, type MeterMonth } from '../contract/reading.ts'
import { listPlans, setUnreadReason } from '../contract/plan.ts'
import { importReadings, downloadMonthSheet } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { useGridEntry } from './grid-entry.ts'
import { defaultReadDay, canReadOn } from './entry-preview.ts'
import { GridRow } from './grid-row.tsx'
import './meters.css'

const ImportDialog = lazyComponent(() =>
  import('#kit/web/transfer/import-dialog.tsx').then(m => m.ImportDialog),
)
const ClearDialog = lazyComponent(() => import('./clear-dialog.tsx').then(m => m.ClearDialog))
const PhoneDialog = lazyComponent(() => import('./phone-dialog.tsx').then(m => m.PhoneDialog))
const HistoryDialog = lazyComponent(() => import('./history-dialog.tsx').then(m => m.HistoryDialog))

const kindOptions = Object.keys(meterKind.rows).map(k => ({
  value: k as MeterMonth['meterKind'],
  label: labelOf(meterKind, k),
}))

const pageSizes = [20, 50, 100, 200]
type GridFilter = 'all' | 'left' | 'read' | 'doubtful'
type OpenDialog =
  | { readonly what: 'import' | 'clear' | 'phone' }
  | { readonly what: 'history'; readonly of: MeterMonth }

/** 抄表: the month's meters as somebody walks by, a number each, Enter to the next. */
export default function MonthGridPage() {
  const project = useProject()
  return project ? (
    <MonthGrid project={project} key={project} />
  ) : (
    <StateMessage text="抄表要先选择一个项目" actions={[]} />
  )
}

function MonthGrid({ project }: { readonly project: string }) {
  const now = today()
  const [month, setMonth] = useState(monthOf(now))
  const [day, setDay] = useState(now)
  const [kind, setKind] = useState<MeterMonth['meterKind']>()
  const [building, setBuilding] = useState<string>()
  const [planId, setPlan] = useState<number>()
  const [show, setShow] = useState<GridFilter>('all')
  const [word, setWord] = useState('')
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(50)
  const [open, setOpen] = useState<OpenDialog>()
  const may = usePermission()
  const verbsFor = useAllowedActions()
  const body = useRef<HTMLDivElement>(null)
  const close = (): void => setOpen(undefined)
  const asked = {
    projectCode: project,
    month,
    ...(kind ? { meterKind: kind } : {}),
    ...(building ? { buildCode: building } : {}),
    ...(planId ? { planId } : {}),
    ...(keyword ? { keyword } : {}),
  }
  const grid = useCall(
    listMonthGrid,
    { ...asked, show, page, size },
    { keepPrevious: true, staleMs: 0, quiet: true },
  )
  const n = useCall(getMonthProgress, asked, { keepPrevious: true, quiet: true }).data
  const plans = useCall(listPlans, { projectCode: project, state: ['on'], size: 200 }, { quiet: true }).data
    ?.rows
  const e = useGridEntry(month, day)
  const rows = useMemo(() => e.rows(grid.data?.rows ?? []), [e, grid.data])
  const at = useRef({ rows, e })
  at.current = { rows, e }
  // Until a month's rows are there, those of the one before stand and are only looked at.
  const stands = useRef(month)
  if (!grid.isPlaceholderData) {
    stands.current = month
  }
  useUnsaved(e.unsaved)
  useEffect(() => {
    const t = setTimeout(
      () => {
        setKeyword(word.trim())
        setPage(1)
      },
      word ? 300 : 0,
    )
    return () => clearTimeout(t)
  }, [word])
  const narrow =
    <T,>(set: (v: T) => void) =>
    (v: T): void => {
      set(v)
      setPage(1)
    }
  const moveTo = (m: string): void => {
    setMonth(m)
    setDay(defaultReadDay(m, now))
    setPage(1)
    e.discardAll()
  }

  const boxes = (): HTMLInputElement[] => [
    ...(body.current?.querySelectorAll<HTMLInputElement>('input[data-row]') ?? []),
  ]
  const step = useCallback((from: HTMLInputElement, by: 1 | -1): void => {
    const all = boxes()
    const to = all[all.indexOf(from) + by]
    if (to) {
      to.focus()
    } else {
      from.blur()
    }
  }, [])
  // The same meter goes on: its times of day are read before it is kept.
  const more = (from: HTMLInputElement, by: 1 | -1): boolean => {
    const all = boxes()
    const at = all.indexOf(from)
    return at < 0 || all[at + by]?.dataset.of === from.dataset.of
  }
  const onKey = useCallback(
    (ev: KeyboardEvent<HTMLInputElement>, _i: number, p: MeterMonth): void => {
      if (ev.key === 'Enter' && !ev.nativeEvent.isComposing) {
        ev.preventDefault()
        const box = ev.currentTarget
        const by = ev.shiftKey ? -1 : 1
        if (!more(box, by)) {
          void at.current.e.save(p).then(ok => {
            if (!ok) {
              box.focus()
            }
          })
        }
        step(box, by)
      } else if (ev.key === 'ArrowDown' || ev.key === 'ArrowUp') {
        ev.preventDefault()
        step(ev.currentTarget, ev.key === 'ArrowDown' ? 1 : -1)
      } else if (ev.key === 'Escape') {
        boxes()
          .find(b => b.dataset.of === String(p.meterId))
          ?.focus()
        at.current.e.discard(p)
      }
    },
    [step],
  )
  const onLeave = useCallback((p: MeterMonth): void => void at.current.e.save(p), [])
  const onPaste = useCallback((ev: ClipboardEvent<HTMLInputElement>, i: number): void => {
    const lines = ev.clipboardData.getData('text').replace(/\r/g, '').replace(/\n$/, '').split('\n')
    if (lines.length < 2) return
    ev.preventDefault()
    void at.current.e.paste(
      at.current.rows.slice(i, i + lines.length),
      lines.map(l => l.split('\t')[0] ?? ''),
    )
  }, [])
  const onConfirm = useCallback(
    (p: MeterMonth): void =>
      void confirmDanger({
        actionLabel: '确认',
        title: `确认「${p.sourceName ?? ''} ${p.meterNo}」的读数 ${p.curNum ?? ''}`,
        unit: '条读数',
        count: 1,
        consequences: ['确认后可以出账'],
        reason: { presets: ['现场复核无误', '长期无人居住', '用户确认用量'] },
        run: async reason => {
          toastResult(
            await sendAndInvalidate(confirmReadings, { ids: [String(p.readingId)], reason }, { quiet: true }),
            `已确认「${p.meterNo}」`,
          )
          at.current.e.replaceRow({ ...p, confirmed: true, version: (p.version ?? 0) + 1 })
        },
      }),
    [],
  )
  const unread = async (p: MeterMonth, why: keyof typeof unreadReason.rows | undefined): Promise<void> => {
    await sendAndInvalidate(setUnreadReason, {
      meterIds: [String(p.meterId)],
      month,
      ...(why ? { unread: why } : {}),
    } as never)
    const { unread: _, ...rest } = p
    e.replaceRow(why ? { ...p, unread: why } : rest)
  }
  const verbs = (p: MeterMonth): Action[] =>
    verbsFor([
      {
        label: '查看历史',
        needs: menu.reading.permissions.view,
        run: () => setOpen({ what: 'history', of: p }),
      },
      ...(p.readingId === undefined
        ? [
            { label: '估抄', needs: menu.reading.permissions.add, run: () => e.saveEstimate(p) },
            ...(p.meterKind === 'power' && !p.registers?.length
              ? [{ label: '分时读数', needs: menu.reading.permissions.add, run: () => e.openRegisters(p) }]
              : []),
            ...Object.keys(unreadReason.rows).map(k => ({
              label: `未抄：${labelOf(unreadReason, k)}`,
              needs: menu.reading.permissions.add,
              run: () => unread(p, k as 'nobody'),
            })),
            ...(p.unread
              ? [
                  {
                    label: '取消未抄原因',
                    needs: menu.reading.permissions.add,
                    run: () => unread(p, undefined),
                  },
                ]
              : []),
          ]
        : []),
    ])
  const tools: readonly Action[] = verbsFor([
    {
      label: '清除本月',
      needs: menu.reading.permissions.clear,
      danger: true,
      run: () => setOpen({ what: 'clear' }),
    },
    {
      label: '下载抄表单',
      needs: menu.reading.permissions.export,
      run: () => download(downloadMonthSheet, asked),
    },
  ])
  const share = n && n.total ? Math.floor((n.read / n.total) * 100) : 0
  return (
    <div className="meter-check">
      <div className="toolbar" role="toolbar" aria-label="抄表">
        <DatePicker
          picker="month"
          allowClear={false}
          aria-label="月份"
          value={dayjs(`${month}-01`)}
          onChange={d => {
            if (d) {
              moveTo(d.format('YYYY-MM'))
            }
          }}
        />
        <label className="day">
          抄表日期{' '}
          <DatePicker
            allowClear={false}
            aria-label="抄表日期"
            value={dayjs(day)}
            disabledDate={d => !canReadOn(month, d.format('YYYY-MM-DD'), now)}
            onChange={d => {
              if (d) {
                setDay(d.format('YYYY-MM-DD'))
              }
            }}
          />
        </label>
        {n && (
          <span className="meter-progress">
            <PercentBar percent={share} label="抄表进度" /> 已抄 <b>{formatCount(n.read)}</b> /{' '}
            {formatCount(n.total)}
            {n.begin && (
              <small>
                抄表期 {n.begin.slice(5)} 至 {n.end?.slice(5)}
                {n.strict ? '，超期不能录入' : ''}
              </small>
            )}
          </span>
        )}
        <span className="spring" />
        {may(menu.reading.permissions.phone) && (
          <Button onClick={() => setOpen({ what: 'phone' })}>手机抄表</Button>
        )}
        {may(menu.reading.permissions.import) && (
          <ActionButton action={{ label: '导入', run: () => setOpen({ what: 'import' }) }} />
        )}
        {tools.length > 0 && <MoreActions actions={tools} label="更多" />}
      </div>
      <div className="filter-bar meter-filters">
        <Segmented
          aria-label="显示"
          value={show}
          onChange={v => narrow(setShow)(v as GridFilter)}
          options={[
            { value: 'all', label: `全部 ${n ? formatCount(n.total) : ''}` },
            { value: 'left', label: `未抄 ${n ? formatCount(n.total - n.read) : ''}` },
            { value: 'read', label: `已抄 ${n ? formatCount(n.read) : ''}` },
            { value: 'doubtful', label: `待确认 ${n ? formatCount(n.doubtful) : ''}` },
          ]}
        />
        <Select
          aria-label="表类型"
          placeholder="表类型"
          allowClear={allowClear}
          style={{ width: 110 }}
          options={kindOptions}
          value={kind ?? null}
          onChange={v => narrow(setKind)(v ?? undefined)}
        />
        <RefSelect
          field={listMonthGrid.input.fields.buildCode!}
          named
          inBar
          value={building}
          formValues={{ projectCode: project }}
          onChange={v => narrow(setBuilding)(v as string | undefined)}
          placeholder="楼栋"
        />
        <Select
          aria-label="计划"
          placeholder="抄表计划"
          allowClear={allowClear}
          style={{ width: 160 }}
          options={(plans ?? []).map(p => ({ value: p.id, label: p.name }))}
          value={planId ?? null}
          onChange={v => narrow(setPlan)(v ?? undefined)}
        />
        <Input.Search
          aria-label="搜索"
          placeholder="表号、房间"
          allowClear={allowClear}
          style={{ width: 200 }}
          value={word}
          onChange={ev => setWord(ev.target.value)}
        />
        <span className="spring" />
        <small className="hint">回车到下一只，可以从表格里成列粘贴</small>
      </div>
      <div className="meter-grid" ref={body}>
        {grid.isPending ? (
          <RowSkeleton rows={12} />
        ) : grid.isError && !grid.data ? (
          <ErrorState error={grid.error} onRetry={() => void grid.refetch()} />
        ) : rows.length === 0 ? (
          <StateMessage
            text={
              keyword || kind || building || planId || show !== 'all'
                ? '没有符合条件的仪表'
                : '这个项目还没有在用的仪表'
            }
            actions={[]}
          />
        ) : (
          <table>
            <thead>
              <tr>
                <th>安装对象</th>
                <th>表号</th>
                <th>类型</th>
                <th className="right">上期止数</th>
                <th>上期日期</th>
                <th>本期止数</th>
                <th className="right">用量</th>
                <th>情况</th>
                <th>抄表日期</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {rows.map((p, i) => (
                <GridRow
                  key={p.meterId}
                  p={p}
                  i={i}
                  draft={e.drafts.get(p.meterId)}
                  day={day}
                  mayEnter={
                    may(
                      p.readingId === undefined
                        ? menu.reading.permissions.add
                        : menu.reading.permissions.edit,
                    ) &&
                    stands.current === month &&
                    p.meterState !== 'replaced' &&
                    p.meterState !== 'stopped'
                  }
                  mayConfirm={may(menu.reading.permissions.confirm)}
                  verbs={verbs(p)}
                  onType={e.setText}
                  onRoll={(x, on) => {
                    e.setRollover(x, on)
                    if (on) {
                      void e.save(x)
                    }
                  }}
                  onTime={e.setRegister}
                  onLeave={onLeave}
                  onKey={onKey}
                  onPaste={onPaste}
                  onConfirm={onConfirm}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <Paginator
        total={grid.data?.total ?? 0}
        page={page}
        size={size}
        sizes={pageSizes}
        onChange={(p, s) => {
          setPage(p)
          setSize(s)
          body.current?.scrollTo(0, 0)
        }}
      />
      {open?.what === 'import' && (
        <ImportDialog
          spec={importReadings}
          input={{ projectCode: project }}
          itemName="抄表记录"
          onClose={() => {
            close()
            void grid.refetch()
          }}
        />
      )}
      {open?.what === 'clear' && (
        <ClearDialog
          project={project}
          month={month}
          building={building}
          kind={kind}
          onClose={close}
          onDone={() => {
            close()
            e.discardAll()
            void grid.refetch()
          }}
        />
      )}
      {open?.what === 'phone' && <PhoneDialog project={project} onClose={close} />}
      {open?.what === 'history' && <HistoryDialog of={open.of} month={month} onClose={close} />}
    </div>
  )
}
