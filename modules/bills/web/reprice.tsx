import { Button, Checkbox, Input, Progress } from 'antd'
import { SearchOutlined, WarningFilled } from '@ant-design/icons'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { confirmDanger } from '#kit/web/confirm.tsx'
import { Money, formatCount, formatSigned, displayYuan } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-states.tsx'
import { listOfRows } from '#kit/contract/shape.ts'
import { invalidate, useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useTabTitle } from '#kit/web/tab.ts'
import { DataTable, type TableSelection } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import {
  repriceBills,
  repriceAllBills,
  listRepriceable,
  repricedBillFields,
  type RepricedBill,
} from '../contract/reprice.ts'
import { getRun, type RunDetail } from '../contract/run.ts'
import { formatPeriod } from '../domain/bill-row.ts'
import { menu } from '../module.ts'
import './generate.css'

const calculationText = (s: string | undefined): string => s?.replace(/ ?= [\d,.]+ 元$/, '') ?? '--'

const listColumns = buildColumns<RepricedBill>(listOfRows(repricedBillFields) as never, [
  { key: 'sourceName', strong: true, width: 120 },
  { key: 'payerName', width: 90, hidePriority: 2 },
  {
    key: 'beginDate',
    title: '账期',
    width: 150,
    render: r => formatPeriod(r.beginDate, r.endDate),
    text: r => formatPeriod(r.beginDate, r.endDate),
  },
  { key: 'billNo', width: 170, hidePriority: 1 },
  { key: 'amount', width: 110 },
  {
    key: 'next',
    title: '新金额',
    width: 110,
    render: r => (r.next === undefined ? '--' : <Money fen={r.next} strong={!r.reason} />),
  },
  {
    key: 'change',
    width: 100,
    render: r => (r.change === undefined || r.reason ? '--' : formatSigned((r.change / 100).toFixed(2), 2)),
    text: r => (r.change === undefined || r.reason ? '--' : (r.change / 100).toFixed(2)),
  },
  {
    key: 'sentence',
    title: '按新价格的算法，或不能重新生成的原因',
    grow: 2,
    width: 240,
    render: r =>
      r.reason ? (
        <span className="jump">
          <WarningFilled /> {r.reason}
        </span>
      ) : (
        calculationText(r.sentence)
      ),
    text: r => r.reason ?? calculationText(r.sentence),
  },
])

const billListPath = '/finance/chargemanage/chargeList'

const consequences = [
  '原账单作废，同一账期按现行价格出新账单，新账单注明替换了哪一张。',
  '应缴日不变；违约金按新金额从应缴日重新计算。',
  '期间有人缴费、支付或开票的账单不动，会单独列出原因。',
]

const reasonOptions = { presets: ['调价', '价格填写有误'], note: '会写入新旧账单的变更记录' }

/** How far the task is that makes all of them anew; `onOver` once it has ended. */
function RepriceProgress({
  id,
  onOver,
}: {
  readonly id: number
  readonly onOver: (said: Pick<RunDetail, 'state' | 'message'>) => void
}) {
  const r = useCall(getRun, { id }, { staleMs: 0, keepPrevious: true, refetchMs: 1000, quiet: true }).data
  const over = r !== undefined && r.state !== 'waiting' && r.state !== 'running'
  useEffect(() => {
    if (over) {
      onOver(r)
    }
  }, [over, onOver, r])
  return (
    <section className="wizard-card" aria-live="polite">
      <h2>正在重新生成{r ? `：已处理 ${formatCount(r.done)} / ${formatCount(r.total)} 条` : ''}</h2>
      <Progress percent={r?.total ? Math.floor((r.done / r.total) * 100) : 0} status="active" />
      <p>{r && `批次 ${r.batchNo} · `}可以离开，任务中心可查看进度与结果；没有改动的账单和原因在结果文件里</p>
    </section>
  )
}

/**
 * After a price change (FEE-6): the unpaid bills of a standard that the old price made, what they would be,
 * and the one deed that makes them anew.
 */
export default function RepricePage() {
  const [params] = useSearchParams()
  const standardId = Number(params.get('id')) || 0
  const navigate = useNavigate()
  const may = usePermission()
  const q = useCall(listRepriceable, { standardId }, { enabled: standardId > 0, quiet: true, staleMs: 0 })
  const said = q.data
  const [off, setOff] = useState<ReadonlySet<number>>(new Set())
  const [word, setWord] = useState('')
  const [stuck, setStuck] = useState(false)
  const [begun, setBegun] = useState<number>()
  const refetch = q.refetch
  useTabTitle(said && `重新生成 ${said.standardName}`)
  const rows = useMemo(
    () =>
      (said?.rows ?? []).filter(
        r =>
          (!stuck || r.reason !== undefined) &&
          (!word ||
            [r.sourceName, r.payerName, r.billNo].some(t => t?.toLowerCase().includes(word.toLowerCase()))),
      ),
    [said, word, stuck],
  )
  const over = useCallback(
    ({ state, message = '' }: Pick<RunDetail, 'state' | 'message'>): void => {
      setBegun(undefined)
      setOff(new Set())
      void refetch()
      void invalidate([...(repriceAllBills.affects ?? [])])
      ;(state === 'done' ? toast.success : toast.warning)(message)
    },
    [refetch],
  )
  if (!standardId)
    return (
      <StateMessage
        text="请从收费标准的详情里打开"
        actions={[{ label: '去收费标准', run: () => void navigate('/finance/chargemanage/cashsetting') }]}
      />
    )
  if (q.isPending)
    return (
      <div className="wizard-body">
        <RowSkeleton rows={10} />
      </div>
    )
  if (!said) return <ErrorState error={q.error} onRetry={() => void q.refetch()} />
  const under = begun ?? said.runId
  if (under !== undefined)
    return (
      <div className="wizard">
        <header className="wizard-head">
          <h1>按新价格重新生成</h1>
        </header>
        <div className="wizard-body">
          <RepriceProgress id={under} onOver={over} />
        </div>
      </div>
    )
  if (!said.count)
    return (
      <StateMessage
        text={`「${said.standardName}」没有按旧价格出的未缴账单`}
        actions={[{ label: '看收费列表', run: () => void navigate(billListPath) }]}
      />
    )
  const fit = said.rows.filter(r => !r.reason)
  const on = fit.filter(r => !off.has(r.id))
  const before = on.reduce((n, r) => n + r.amount, 0)
  const after = on.reduce((n, r) => n + (r.next ?? 0), 0)
  const kept = said.rows.length - fit.length
  const open = (r: RepricedBill | undefined): boolean => r !== undefined && !r.reason
  const ticks: TableSelection = {
    isSelected: k => {
      const r = rows.find(x => x.id === k)
      return open(r) && !off.has(r!.id)
    },
    isAllSelected: rows.some(open) && rows.every(r => !open(r) || !off.has(r.id)),
    isSomeSelected: rows.some(r => open(r) && !off.has(r.id)),
    disabledReason: i => rows[i]?.reason,
    setSelected: (list, yes) =>
      setOff(s => {
        const next = new Set(s)
        for (const i of list) {
          const r = rows[i]
          if (!open(r)) continue
          if (yes) {
            next.delete(r!.id)
          } else {
            next.add(r!.id)
          }
        }
        return next
      }),
  }
  const go = (): Promise<boolean> =>
    confirmDanger({
      actionLabel: '重新生成',
      unit: '条账单',
      count: on.length,
      affectedSums: [
        ['原金额', displayYuan(before)],
        ['新金额', displayYuan(after)],
        ['增减', formatSigned(((after - before) / 100).toFixed(2), 2)],
      ],
      amount: before,
      reason: reasonOptions,
      consequences,
      run: async reason => {
        const a = await sendAndInvalidate(
          repriceBills,
          { ids: on.map(r => String(r.id)), reason },
          { quiet: true },
        )
        setOff(new Set())
        await q.refetch()
        if (a.skipped) {
          toast.warning(
            `已重新生成 ${formatCount(a.success)} 条，${formatCount(a.skipped)} 条没有改动：${a.rows[0]?.reason ?? ''}`,
          )
        } else {
          toast.success(
            `已重新生成 ${formatCount(a.success)} 条，合计由 ${displayYuan(a.before)} 变为 ${displayYuan(a.amount)}（批次 ${(a.batchNos ?? []).join('、')}）`,
          )
        }
      },
    })
  // Of what is not listed nothing was unticked.
  const whole = said.count - off.size
  const wholeBefore = said.amount - said.rows.reduce((n, r) => n + (off.has(r.id) ? r.amount : 0), 0)
  const goAll = (): Promise<boolean> =>
    confirmDanger({
      actionLabel: '重新生成',
      unit: '条账单',
      count: whole,
      affectedSums: [['原金额', displayYuan(wholeBefore)]],
      amount: wholeBefore,
      reason: reasonOptions,
      consequences: [
        ...consequences.slice(0, 2),
        '在后台作为一个批次处理；期间有人缴费、支付或开票的账单不动，任务结果里逐张说明。',
      ],
      run: async why => {
        const a = await sendAndInvalidate(
          repriceAllBills,
          { standardId, count: whole, without: [...off].map(String), reason: why },
          { quiet: true },
        )
        setBegun(a.runId)
      },
    })
  return (
    <div className="wizard">
      <header className="wizard-head">
        <h1>按新价格重新生成</h1>
      </header>
      <div className="wizard-said">
        <span>
          收费标准<b>{said.standardName}</b>
        </span>
        <span>
          收费项目<b>{said.itemName}</b>
        </span>
        <span>
          按旧价格出的未缴账单<b className="figure">{formatCount(said.count)}</b>
        </span>
        <span className="spring" />
        <button
          type="button"
          className="linkish"
          onClick={() => void navigate(`/finance/chargemanage/cashsetting/standarddetail?id=${standardId}`)}
        >
          看价格版本
        </button>
      </div>
      <section className="wizard-rows reprice-rows">
        <div className="bar">
          <Input
            allowClear={allowClear}
            prefix={<SearchOutlined />}
            placeholder="房号、车位、缴费人、账单号"
            aria-label="搜索"
            value={word}
            onChange={e => setWord(e.target.value.trim())}
          />
          {kept > 0 && (
            <Checkbox checked={stuck} onChange={e => setStuck(e.target.checked)}>
              只看不能重新生成的 {formatCount(kept)} 条
            </Checkbox>
          )}
        </div>
        <div className="table">
          <DataTable<RepricedBill>
            rows={rows}
            columns={listColumns}
            keyOf={r => r.id}
            label="按旧价格出的账单"
            dense
            isDimmed={r => r.reason !== undefined}
            selection={ticks}
            placeholder={
              rows.length ? undefined : (
                <StateMessage
                  text="没有符合的账单"
                  actions={[
                    {
                      label: '清空筛选',
                      run: () => {
                        setWord('')
                        setStuck(false)
                      },
                    },
                  ]}
                />
              )
            }
          />
        </div>
        <p className="foot">
          共 {formatCount(rows.length)} 条
          {said.more &&
            `；只列出前 ${formatCount(said.rows.length)} 条，共 ${formatCount(said.count)} 条可在后台一次处理`}
        </p>
      </section>
      <footer className="wizard-foot">
        <span>
          勾选 <b className="figure">{formatCount(on.length)}</b> 条
        </span>
        <span>
          原金额 <b className="figure">{displayYuan(before, true)}</b>
        </span>
        <span>
          新金额 <b className="figure">{displayYuan(after, true)}</b>
        </span>
        <span className="note">不勾选的账单照旧价格收取</span>
        <span className="spring" />
        {may(menu.bill.permissions.reprice) && (
          <>
            <Button type={said.more ? 'default' : 'primary'} disabled={!on.length} onClick={() => void go()}>
              重新生成 {formatCount(on.length)} 条账单
            </Button>
            {said.more && (
              <Button type="primary" onClick={() => void goAll()}>
                全部重新生成 {formatCount(whole)} 条
              </Button>
            )}
          </>
        )}
      </footer>
    </div>
  )
}
