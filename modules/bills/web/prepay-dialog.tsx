import type { Id } from '#kit/domain/id.ts'
import { toError } from '#kit/domain/to-error.ts'
import { defined } from '#kit/domain/defined.ts'
import { sumFen } from '#kit/domain/money.ts'
import { Button, Checkbox, InputNumber, Modal } from 'antd'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { formatCount, displayYuan, displayYuanWithSymbol } from '#kit/web/numbers.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { focusFirstInput } from '#kit/web/focus-first-input.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { RequiredStar } from '#kit/web/required-star.tsx'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { skipReason } from '#modules/fees/contract/choices.ts'
import { addPreFee, listPrepayable } from '../contract/temporary.ts'
import type { SourceKind } from './source-control.tsx'
import { prepaidPaymentPath } from './public.actions.ts'
import './generate.css'

/** Fetched when no object is given: it brings the search of four kinds of objects. */
const SourcePicker = lazyComponent(() => import('./source-picker.tsx').then(m => m.SourcePicker))

/** Why nothing can be billed ahead yet. */
function refusalText(source: object | undefined, isPending: boolean, selectableCount: number): string {
  if (!source) return '请先选择收费对象'
  if (isPending) return '正在计算'
  return selectableCount ? '请勾选要预缴的收费' : '该对象没有可以预缴的周期性收费'
}

/** 预缴: bills for the next periods of an object's fees at today's prices, and on to paying them (TMP-2). */
export function PrepayDialog({
  of,
  onClose,
  onDone,
}: {
  readonly of?: { readonly sourceType: SourceKind; readonly sourceCode: string; readonly sourceName: string }
  readonly onClose: () => void
  /** The order to be paid; without it the dialog goes to where it is. */
  readonly onDone?: (orderNo: string) => void
}) {
  const [kind, setKind] = useState<SourceKind>('room')
  const [code, setCode] = useState<string>()
  const [count, setN] = useState(3)
  const [off, setOff] = useState<ReadonlySet<Id>>(new Set())
  const [error, setError] = useState<string>()
  const choose = (to: string | undefined): void => {
    setCode(to)
    setOff(new Set())
    setError(undefined)
  }
  const source = of ?? (code ? { sourceType: kind, sourceCode: code } : undefined)
  const send = useSend(addPreFee, { quiet: true })
  const hasPermission = usePermission()
  const navigate = useNavigate()
  const maxCount = defined(defined(addPreFee.input.fields.count).max)
  const countError = count > maxCount ? `一次最多预缴 ${maxCount} 个周期` : undefined
  const query = useCall(
    listPrepayable,
    { sourceType: source?.sourceType ?? 'room', sourceCode: source?.sourceCode ?? '', count },
    { enabled: source !== undefined && !countError, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const all = source && !countError ? (query.data ?? []) : []
  const selectable = all.filter(x => x.periods.length)
  const selected = selectable.filter(x => !off.has(x.relationId))
  const sum = sumFen(selected.map(x => x.amount))
  const bills = selected.reduce((a, x) => a + x.periods.length, 0)
  const refusal = bills ? undefined : (countError ?? refusalText(source, query.isPending, selectable.length))
  const run = async (): Promise<void> => {
    try {
      const result = await send.mutateAsync({ relationIds: selected.map(x => String(x.relationId)), count })
      const path = prepaidPaymentPath(hasPermission, result.orderNo)
      toast.success(
        `已生成 ${formatCount(result.count)} 张预缴账单，合计 ${displayYuanWithSymbol(result.amount)}；15 分钟内未付款将自动撤销${path ? '' : '，请收费员收款'}`,
      )
      onClose()
      if (onDone) {
        onDone(result.orderNo)
      } else if (path) {
        void navigate(path)
      }
    } catch (e) {
      setError(toError(e).message)
    }
  }
  const canRun = bills > 0 && !query.isFetching && !send.isPending
  const message = useRef<HTMLParagraphElement>(null)
  useShortcuts(
    [{ keys: 'Ctrl Enter', label: '生成并收款', whileTyping: true, run: () => void (canRun && run()) }],
    message,
  )
  return (
    <Modal
      open
      width={620}
      title={of ? `预缴「${of.sourceName}」` : '预缴'}
      onCancel={onClose}
      mask={{ closable: false }}
      afterOpenChange={focusFirstInput}
      footer={[
        <Button key="no" onClick={onClose}>
          取消
        </Button>,
        <Button
          key="yes"
          type="primary"
          loading={send.isPending}
          disabled={!bills || query.isFetching}
          title={refusal}
          onClick={() => void run()}
        >
          {bills ? `生成 ${formatCount(bills)} 张并收款 ${displayYuanWithSymbol(sum)}` : '生成并收款'}
        </Button>,
      ]}
    >
      {!of && (
        <SourcePicker
          kind={kind}
          code={code}
          onKind={k => {
            setKind(k)
            choose(undefined)
          }}
          onCode={choose}
        />
      )}
      <CycleCount
        count={count}
        isWrong={countError !== undefined}
        onChange={next => {
          setN(next)
          setError(undefined)
        }}
      />
      {source && !countError && query.isPending && <RowSkeleton rows={3} />}
      {source && !countError && query.data && !all.length && (
        <p className="wizard-hint" style={{ marginTop: 12 }}>
          该对象没有可以预缴的周期性收费
        </p>
      )}
      <PrepayableLines lines={all} unselected={off} onChange={setOff} />
      <p ref={message} role="alert" style={{ color: 'var(--bad)', minHeight: 22 }}>
        {countError ?? error ?? (query.isError ? query.error.message : '')}
      </p>
    </Modal>
  )
}

/** How many cycles are paid in advance. */
function CycleCount({
  count,
  isWrong,
  onChange,
}: {
  readonly count: number
  readonly isWrong: boolean
  readonly onChange: (count: number) => void
}) {
  return (
    <div>
      <label htmlFor="pre-n">
        <RequiredStar />
        预缴周期数{' '}
      </label>
      <InputNumber
        id="pre-n"
        min={1}
        precision={0}
        value={count}
        {...(isWrong ? { status: 'error' as const, 'aria-invalid': true } : {})}
        onChange={v => onChange(v ?? 1)}
      />{' '}
      <small className="wizard-hint" style={{ padding: 0, background: 'none' }}>
        自计费截至次日起，按当前单价计算
      </small>
    </div>
  )
}

type PrepayableLine = NonNullable<typeof listPrepayable.output.T>[number]

/** The charges of an object that can be prepaid; those that cannot say why. */
function PrepayableLines({
  lines,
  unselected,
  onChange,
}: {
  readonly lines: readonly PrepayableLine[]
  readonly unselected: ReadonlySet<Id>
  readonly onChange: (change: (ids: ReadonlySet<Id>) => ReadonlySet<Id>) => void
}) {
  return (
    <div className="prepay-lines">
      {lines.map(line => (
        // The library's label around the whole line: one label in another names nothing.
        <Checkbox
          key={line.relationId}
          disabled={!line.periods.length}
          checked={line.periods.length > 0 && !unselected.has(line.relationId)}
          onChange={e =>
            onChange(standard => {
              const next = new Set(standard)
              if (e.target.checked) {
                next.delete(line.relationId)
              } else {
                next.add(line.relationId)
              }
              return next
            })
          }
        >
          <span>
            {line.itemName}
            <small>
              {line.periods.length
                ? `${defined(line.periods[0]).begin} 至 ${defined(line.periods.at(-1)).end}，${line.periods.length} 期；每期 ${defined(line.periods[0]).sentence}`
                : `不能预缴：${line.detail ?? (line.reason ? labelOf(skipReason, line.reason) : '收费已到期')}`}
            </small>
          </span>
          <b className="figure">{line.periods.length ? displayYuan(line.amount) : '--'}</b>
        </Checkbox>
      ))}
    </div>
  )
}
