import { Button, Checkbox, InputNumber, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { keyRef, labelOf, type Field } from '#kit/contract/field.ts'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { formatCount, displayYuan } from '#kit/web/numbers.tsx'
import { RowSkeleton } from '#kit/web/list/list-states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { skipReason, sourceType } from '#modules/fees/contract/choices.ts'
import { addPreFee, listPrepayable } from '../contract/temporary.ts'
import { sourceKinds, SourceSearch, type SourceKind } from './source-control.tsx'
import './generate.css'

const roomField = keyRef('房屋', 'room') as Field

/** 预缴: the next periods of an object's cyclic fees at today's price, which may then be paid (TMP-2). */
export function PrepayDialog({
  of,
  onClose,
  onDone,
}: {
  readonly of?: { readonly sourceType: SourceKind; readonly sourceCode: string; readonly sourceName: string }
  readonly onClose: () => void
  readonly onDone?: (ids: readonly string[]) => void
}) {
  const [kind, setKind] = useState<SourceKind>('room')
  const [code, setCode] = useState<string>()
  const [n, setN] = useState(3)
  const [off, setOff] = useState<ReadonlySet<number>>(new Set())
  const [said, setSaid] = useState<string>()
  const choose = (to: string | undefined): void => {
    setCode(to)
    setOff(new Set())
    setSaid(undefined)
  }
  const source = of ?? (code ? { sourceType: kind, sourceCode: code } : undefined)
  const go = useSend(addPreFee, { quiet: true })
  const most = addPreFee.input.fields.count!.max!
  const many = n > most ? `一次最多预缴 ${most} 个周期` : undefined
  const q = useCall(
    listPrepayable,
    { sourceType: source?.sourceType ?? 'room', sourceCode: source?.sourceCode ?? '', count: n },
    { enabled: source !== undefined && !many, keepPrevious: true, quiet: true, staleMs: 0 },
  )
  const all = source && !many ? (q.data ?? []) : []
  const able = all.filter(x => x.periods.length)
  const on = able.filter(x => !off.has(x.relationId))
  const sum = on.reduce((a, x) => a + x.amount, 0)
  const bills = on.reduce((a, x) => a + x.periods.length, 0)
  const run = async (): Promise<void> => {
    try {
      const a = await go.mutateAsync({ relationIds: on.map(x => String(x.relationId)), count: n })
      toast.success(`已生成 ${formatCount(a.count)} 张预缴账单，合计 ${displayYuan(a.amount, true)}`)
      onDone?.(a.ids)
      onClose()
    } catch (e) {
      setSaid((e as Error).message)
    }
  }
  return (
    <Modal
      open
      width={620}
      title={of ? `预缴「${of.sourceName}」` : '预缴'}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={[
        <Button key="no" onClick={onClose}>
          取消
        </Button>,
        <Button
          key="yes"
          type="primary"
          loading={go.isPending}
          disabled={!bills || q.isFetching}
          onClick={() => void run()}
        >
          {bills ? `生成 ${formatCount(bills)} 张，合计 ${displayYuan(sum, true)}` : '生成预缴账单'}
        </Button>,
      ]}
    >
      {!of && (
        <div style={{ display: 'grid', gap: 8, marginBottom: 12 }}>
          <Segmented
            aria-label="对象类型"
            value={kind}
            onChange={k => {
              setKind(k as SourceKind)
              choose(undefined)
            }}
            options={sourceKinds.map(k => ({ value: k, label: labelOf(sourceType, k) }))}
            style={{ justifySelf: 'start' }}
          />
          <label className="aloud" htmlFor="pre-source">
            {labelOf(sourceType, kind)}
          </label>
          {kind === 'room' ? (
            <RefSelect
              field={roomField}
              id="pre-source"
              value={code}
              onChange={v => choose(v as string | undefined)}
            />
          ) : (
            <SourceSearch
              mode="one"
              kind={kind}
              id="pre-source"
              value={code ? [code] : []}
              onChange={v => choose(v[0])}
            />
          )}
        </div>
      )}
      <div>
        <label htmlFor="pre-n">往后预缴的周期数 </label>
        <InputNumber
          id="pre-n"
          min={1}
          precision={0}
          value={n}
          {...(many ? { status: 'error' as const, 'aria-invalid': true } : {})}
          onChange={v => {
            setN(v ?? 1)
            setSaid(undefined)
          }}
        />{' '}
        <small className="wizard-hint" style={{ padding: 0, background: 'none' }}>
          从计费截至的次日起，按今天的单价
        </small>
      </div>
      {source && !many && q.isPending && <RowSkeleton rows={3} />}
      {source && !many && q.data && !all.length && (
        <p className="wizard-hint" style={{ marginTop: 12 }}>
          这个对象没有可以预缴的周期性收费
        </p>
      )}
      <div className="pick-lines">
        {all.map(x => (
          <label key={x.relationId}>
            <Checkbox
              disabled={!x.periods.length}
              checked={x.periods.length > 0 && !off.has(x.relationId)}
              onChange={e =>
                setOff(s => {
                  const next = new Set(s)
                  if (e.target.checked) {
                    next.delete(x.relationId)
                  } else {
                    next.add(x.relationId)
                  }
                  return next
                })
              }
            />
            <span>
              {x.itemName}
              <small>
                {x.periods.length
                  ? `${x.periods[0]!.begin} 至 ${x.periods.at(-1)!.end}，${x.periods.length} 期；每期 ${x.periods[0]!.sentence}`
                  : `不能预缴：${x.detail ?? (x.reason ? labelOf(skipReason, x.reason) : '收费已到期')}`}
              </small>
            </span>
            <b className="figure">{x.periods.length ? displayYuan(x.amount) : '--'}</b>
          </label>
        ))}
      </div>
      <p role="alert" style={{ color: 'var(--bad)', minHeight: 22 }}>
        {many ?? said ?? (q.isError ? q.error.message : '')}
      </p>
    </Modal>
  )
}
