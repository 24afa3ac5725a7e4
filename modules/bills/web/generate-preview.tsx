import { Button, Checkbox, Input, Select } from 'antd'
import { DownloadOutlined, EditOutlined, SearchOutlined, WarningFilled } from '@ant-design/icons'
import { useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { Money, formatCount, formatSigned, displayYuan } from '#kit/web/numbers.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { download } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import { DataTable, type TableSelection } from '#kit/web/table/data-table.tsx'
import { listBuildings } from '#modules/estates/contract/building.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import {
  exportPreview,
  previewBills,
  previewRowFields,
  type RunRequest,
  type RunPreview,
  type PreviewRow,
} from '../contract/run.ts'
import { shape } from '#kit/contract/shape.ts'
import { skipFixes } from './skip-fixes.ts'
import type { ScopeLabels } from './generate-scope.tsx'

type PreviewTab = 'make' | 'skip' | 'warn' | 'excluded'

interface PreviewTableRow extends PreviewRow {
  readonly key: string
  readonly out: boolean
}

const formatChange = (r: PreviewRow): string =>
  r.change === undefined || Number(r.change) === 0 ? '--' : `${formatSigned(r.change, 2)}%`

/** The amount stands beside it. */
const calculationText = (sentence: string | undefined): string =>
  sentence?.replace(/ ?= [\d,.]+ 元$/, '') ?? '--'

const madeColumns = buildColumns<PreviewTableRow>(shape(previewRowFields) as never, [
  { key: 'sourceName', strong: true, width: 120 },
  {
    key: 'payerName',
    width: 90,
    render: r => (r.payerMissing ? <span className="jump">无缴费人</span> : (r.payerName ?? '--')),
    text: r => r.payerName ?? '无缴费人',
  },
  { key: 'itemName', width: 110 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    hidePriority: 1,
    render: r => `${r.begin} 至 ${r.end}`,
    text: r => `${r.begin} 至 ${r.end}`,
  },
  { key: 'sentence', grow: 3, width: 220, render: r => calculationText(r.sentence) },
  {
    key: 'amount',
    render: r => (
      <span className={r.out ? 'struck' : ''}>
        <Money fen={r.amount} strong={!r.out} />
      </span>
    ),
  },
  { key: 'last', title: '上期' },
  {
    key: 'change',
    title: '增减',
    align: 'right',
    width: 100,
    render: r =>
      r.jump ? (
        <span className="jump">
          <WarningFilled /> {formatChange(r)}
        </span>
      ) : (
        formatChange(r)
      ),
    text: formatChange,
  },
])

const skippedColumns = buildColumns<PreviewTableRow>(shape(previewRowFields) as never, [
  { key: 'sourceName', strong: true, width: 130 },
  { key: 'itemName', width: 110 },
  { key: 'standardName', width: 150 },
  {
    key: 'begin',
    title: '账期',
    width: 190,
    render: r => (r.begin ? `${r.begin} 至 ${r.end}` : '--'),
    text: r => (r.begin ? `${r.begin} 至 ${r.end}` : '--'),
  },
  { key: 'reason', width: 110 },
  { key: 'detail', grow: 2, width: 200 },
])

/** Step two: every bill with its reckoning, taken out of the run by taking its tick away. */
export function PreviewStep({
  asked,
  words,
  estate,
  onBack,
  onGo,
  busy,
}: {
  readonly asked: RunRequest
  readonly words: ScopeLabels
  readonly estate: string
  readonly onBack: () => void
  readonly onGo: (p: RunPreview, excluded: readonly string[], reason: string) => void
  readonly busy: boolean
}) {
  const q = useCall(previewBills, asked, { staleMs: 0, timeout: 120_000 })
  const p = q.data
  const [group, setGroup] = useState<PreviewTab>('make')
  const [out, setOut] = useState<ReadonlySet<number>>(new Set())
  const [word, setWord] = useState('')
  const [item, setItem] = useState<string>()
  const [build, setBuild] = useState<string>()
  const [saving, setSaving] = useState(false)
  const [odd, setOdd] = useState(false)
  const [reason, setReason] = useState('')
  const [why, setWhy] = useState<string>()
  const rows = useMemo(
    () =>
      (p?.rows ?? []).map((r, i): PreviewTableRow => ({ ...r, key: String(i), out: out.has(r.relationId) })),
    [p, out],
  )
  const wouldMake = rows.filter(r => r.group === 'make')
  const left = wouldMake.filter(r => r.out)
  const excluded = rows.filter(r => r.group === 'excluded' || r.out)
  const shown = useMemo(() => {
    const has = (r: PreviewTableRow): boolean =>
      !word ||
      [r.sourceName, r.payerName, r.itemName].some(t => t?.toLowerCase().includes(word.toLowerCase()))
    const mine =
      group === 'make'
        ? rows.filter(r => r.group === 'make')
        : group === 'warn'
          ? rows.filter(r => r.group === 'make' && (r.jump || r.payerMissing))
          : group === 'skip'
            ? rows.filter(r => r.group === 'skip' && (!why || r.reason === why))
            : rows.filter(r => r.group === 'excluded' || r.out)
    return mine.filter(
      r =>
        has(r) &&
        (!item || r.itemName === item) &&
        (!build || r.buildCode === build) &&
        (!odd || r.jump || r.payerMissing),
    )
  }, [rows, group, word, item, build, odd, why])
  const builds = useMemo(() => [...new Set(rows.flatMap(r => r.buildCode ?? []))], [rows])
  const known = useCall(listBuildings, { projectCode: asked.projectCode, size: 500 } as never, {
    quiet: true,
  })
  const named = new Map(known.data?.rows.map(b => [b.code, b.name]))
  const items = useMemo(
    () => [...new Set(rows.map(r => r.itemName))].sort((a, b) => a.localeCompare(b, 'zh')),
    [rows],
  )
  if (q.isPending)
    return (
      <div className="wizard-body">
        <p className="wizard-hint">正在按每个收费关联逐笔计算……</p>
        <RowSkeleton rows={12} />
      </div>
    )
  if (!p)
    return (
      <div className="wizard-body">
        <ErrorState error={q.error} onRetry={() => void q.refetch()} />
      </div>
    )
  const outIds = [...out]
  const outAmount = left.reduce((n, r) => n + (r.amount ?? 0), 0)
  const making = p.make.count - left.length
  const sum = p.make.amount - outAmount
  const ticks: TableSelection = {
    isSelected: k => !(shown.find(r => r.key === k)?.out ?? false),
    isAllSelected: shown.length > 0 && shown.every(r => !r.out),
    isSomeSelected: shown.some(r => !r.out),
    setSelected: (list, on) =>
      setOut(s => {
        const next = new Set(s)
        for (const i of list) {
          const r = shown[i]
          if (!r || r.group !== 'make') continue
          if (on) {
            next.delete(r.relationId)
          } else {
            next.add(r.relationId)
          }
        }
        return next
      }),
    disabledReason: i => (shown[i]?.group === 'make' ? undefined : '不出账'),
  }
  const save = async (of: 'make' | 'skip', only?: string): Promise<void> => {
    setSaving(true)
    try {
      await download(
        exportPreview,
        {
          ...asked,
          ...(outIds.length ? { excluded: outIds.map(String) } : {}),
          group: of,
          ...(only ? { reason: only } : {}),
        } as never,
        undefined,
        { timeout: 120_000 },
      )
    } catch (e) {
      toast.error((e as Error).message)
    } finally {
      setSaving(false)
    }
  }
  const card = (
    key: PreviewTab,
    tone: 'done' | 'off' | 'todo' | 'hold',
    label: string,
    n: number,
    note: string,
  ) => (
    <button
      type="button"
      aria-pressed={group === key && !why}
      onClick={() => {
        setGroup(key)
        setWhy(undefined)
      }}
    >
      <StatusIcon tone={tone} />
      <span>{label}</span>
      <b className="figure">{formatCount(n)}</b>
      <small>{note}</small>
    </button>
  )
  return (
    <>
      <div className="wizard-said">
        <span>
          项目<b>{estate || asked.projectCode}</b>
        </span>
        <span>
          对象<b>{words.what}</b>
        </span>
        <span>
          收费项目<b>{words.items}</b>
        </span>
        <span>
          账期<b>{asked.month}</b>
        </span>
        {p.dueFrom && (
          <span>
            应缴日<b>{p.dueFrom === p.dueTo ? p.dueFrom : `${p.dueFrom} 至 ${p.dueTo}`}</b>
          </span>
        )}
        <span>
          生成后<b>{p.pending ? '待审核' : '直接生效，不自动通知'}</b>
        </span>
        <span className="spring" />
        <button type="button" className="linkish" onClick={onBack}>
          <EditOutlined /> 改范围
        </button>
      </div>
      <div className="wizard-preview">
        <nav className="wizard-groups" aria-label="预览分组">
          {card('make', 'done', '将生成', making, displayYuan(sum, true))}
          {card('skip', 'off', '跳过', p.skip, '这些对象不出账')}
          {card('warn', 'todo', '提醒', p.warn, '照常出账，建议核对')}
          {card(
            'excluded',
            'hold',
            '人工排除',
            left.length + p.excluded,
            outAmount ? displayYuan(outAmount, true) : '取消勾选即排除',
          )}
          {p.reasons.length > 0 && (
            <>
              <h2>
                跳过原因
                <button type="button" className="linkish" disabled={saving} onClick={() => void save('skip')}>
                  导出 {formatCount(p.skip)} 条
                </button>
              </h2>
              <ul>
                {p.reasons.map(r => (
                  <li key={r.reason}>
                    <button
                      type="button"
                      className="linkish"
                      onClick={() => {
                        setGroup('skip')
                        setWhy(r.reason)
                      }}
                    >
                      {labelOf(skipReason, r.reason)}
                    </button>
                    <b className="figure">{formatCount(r.count)}</b>
                    {skipFixes[r.reason] ? (
                      <button
                        type="button"
                        className="linkish"
                        onClick={() => navigateTo(skipFixes[r.reason]!.to())}
                      >
                        {skipFixes[r.reason]!.words}
                      </button>
                    ) : (
                      <span />
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
          {p.warn > 0 && (
            <>
              <h2>提醒</h2>
              <ul>
                {p.jumps > 0 && (
                  <li>
                    <span>比上期增减超过 50%</span>
                    <b className="figure">{formatCount(p.jumps)}</b>
                    <button
                      type="button"
                      className="linkish"
                      onClick={() => {
                        setGroup('warn')
                        setWhy(undefined)
                      }}
                    >
                      核对
                    </button>
                  </li>
                )}
                {p.nobody > 0 && (
                  <li>
                    <span>无缴费人</span>
                    <b className="figure">{formatCount(p.nobody)}</b>
                    <button
                      type="button"
                      className="linkish"
                      onClick={() => {
                        setGroup('warn')
                        setWhy(undefined)
                      }}
                    >
                      核对
                    </button>
                  </li>
                )}
              </ul>
            </>
          )}
          {p.more > 0 && (
            <p className="wizard-hint" style={{ margin: 16 }}>
              {formatCount(p.more)} 个关联要补出的账期超过 36 期，这次先出前 36 期，之后再生成一次。
            </p>
          )}
        </nav>
        <section className="wizard-rows">
          <div className="bar">
            <Input
              allowClear={allowClear}
              prefix={<SearchOutlined />}
              placeholder="房号、车位、缴费人"
              aria-label="搜索"
              value={word}
              onChange={e => setWord(e.target.value.trim())}
            />
            <Select
              allowClear={allowClear}
              placeholder="收费项目"
              aria-label="收费项目"
              value={item}
              onChange={setItem}
              style={{ width: 150 }}
              options={items.map(i => ({ value: i, label: i }))}
            />
            {builds.length > 1 && (
              <Select
                allowClear={allowClear}
                placeholder="楼栋"
                aria-label="楼栋"
                value={build}
                onChange={setBuild}
                style={{ width: 120 }}
                showSearch={{ optionFilterProp: 'label' }}
                options={builds.map(b => ({ value: b, label: named.get(b) ?? b }))}
              />
            )}
            {group === 'make' && (
              <Checkbox checked={odd} onChange={e => setOdd(e.target.checked)}>
                只看有提醒的
              </Checkbox>
            )}
            {why && (
              <button type="button" className="linkish" onClick={() => setWhy(undefined)}>
                只看“{labelOf(skipReason, why)}” ✕
              </button>
            )}
            <span className="spring" />
            {(group === 'make' || group === 'skip') && (
              <Button
                icon={<DownloadOutlined />}
                loading={saving}
                disabled={!(group === 'make' ? p.make.count : p.skip)}
                onClick={() => void save(group, group === 'skip' ? why : undefined)}
              >
                {group === 'make' ? '导出预览' : '导出跳过'}
              </Button>
            )}
          </div>
          <div className="table">
            <DataTable<PreviewTableRow>
              rows={shown}
              columns={
                group === 'skip' || (group === 'excluded' && !left.length) ? skippedColumns : madeColumns
              }
              keyOf={r => r.key}
              label="账单预览"
              dense
              isDimmed={r => r.out}
              {...(group === 'skip' ? {} : { selection: ticks })}
              {...(group === 'skip'
                ? {
                    actions: (r: PreviewTableRow) => {
                      const f = r.reason && skipFixes[r.reason]
                      return f ? (
                        <button type="button" className="linkish" onClick={() => navigateTo(f.to(r))}>
                          {f.words}
                        </button>
                      ) : null
                    },
                    actionsWidth: 76,
                  }
                : {})}
              placeholder={
                shown.length ? undefined : (
                  <StateMessage
                    text={
                      group === 'make'
                        ? '没有要生成的账单'
                        : group === 'skip'
                          ? '没有跳过的'
                          : group === 'warn'
                            ? '没有需要核对的'
                            : '没有排除的'
                    }
                    actions={[]}
                  />
                )
              }
            />
          </div>
          <p className="foot">
            {group === 'make'
              ? `共 ${formatCount(shown.length)} 条 · 取消勾选即排除，同一收费关联的各期一起排除`
              : `共 ${formatCount(shown.length)} 条`}
            {p.truncated && '；条数过多，只列出前 20,000 条，合计是全部的'}
          </p>
        </section>
      </div>
      <footer className="wizard-foot">
        <span>
          将生成 <b className="figure">{formatCount(making)}</b> 张，合计{' '}
          <b className="figure">{displayYuan(sum, true)}</b>
        </span>
        <span className="note">生成前不会写入任何数据</span>
        {excluded.length > 0 && outIds.length > 0 && (
          <Input
            style={{ width: 260 }}
            maxLength={200}
            placeholder="排除原因（选填）"
            aria-label="排除原因"
            value={reason}
            onChange={e => setReason(e.target.value)}
          />
        )}
        <span className="spring" />
        <Button onClick={onBack}>上一步</Button>
        <Button
          type="primary"
          loading={busy}
          disabled={making <= 0}
          onClick={() => onGo(p, outIds.map(String), reason.trim())}
        >
          生成 {formatCount(making)} 张账单
        </Button>
      </footer>
    </>
  )
}
